-- One row per election: the highest token ever granted. Never delete it.
-- A transaction that locks this row keeps the next leader out until it ends.
CREATE TABLE IF NOT EXISTS LEADER_ELECTION_EPOCH (
	ELECTION VARCHAR(200) NOT NULL,
	TOKEN BIGINT NOT NULL,
	PRIMARY KEY (ELECTION)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
