-- One row per election: the highest token ever granted. Never delete it.
-- A transaction that locks this row keeps the next leader out until it ends.
IF OBJECT_ID(N'LEADER_ELECTION_EPOCH', N'U') IS NULL CREATE TABLE LEADER_ELECTION_EPOCH (
	ELECTION NVARCHAR(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
	TOKEN BIGINT NOT NULL,
	PRIMARY KEY (ELECTION)
);
