-- One row per election: the highest token ever granted. Never delete it.
-- A transaction that locks this row keeps the next leader out until it ends.
CREATE TABLE LEADER_ELECTION_EPOCH (
	ELECTION VARCHAR2(200 CHAR) NOT NULL,
	TOKEN NUMBER(19) NOT NULL,
	PRIMARY KEY (ELECTION)
);
