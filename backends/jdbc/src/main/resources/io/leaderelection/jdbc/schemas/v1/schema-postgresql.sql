-- One row per election: who holds its lease, and until when.
-- All times are microseconds since 1970-01-01 00:00 UTC, by the clock of the database.
CREATE TABLE IF NOT EXISTS LEADER_ELECTION (
	ELECTION VARCHAR(200) NOT NULL,
	TOKEN BIGINT NOT NULL,
	OWNER_NODE VARCHAR(200),
	OWNER_INCARNATION VARCHAR(200),
	RESERVED_FOR VARCHAR(200),
	EXPIRES_AT BIGINT NOT NULL,
	LEASE_DURATION BIGINT NOT NULL,
	PRIMARY KEY (ELECTION)
);

-- One row per election: the highest token ever granted. Never delete it.
-- A transaction that locks this row keeps the next leader out until it ends.
CREATE TABLE IF NOT EXISTS LEADER_ELECTION_EPOCH (
	ELECTION VARCHAR(200) NOT NULL,
	TOKEN BIGINT NOT NULL,
	PRIMARY KEY (ELECTION)
);

-- One row per election and node that stands by.
CREATE TABLE IF NOT EXISTS LEADER_ELECTION_CANDIDATE (
	ELECTION VARCHAR(200) NOT NULL,
	NODE_ID VARCHAR(200) NOT NULL,
	STANDBY_UNTIL BIGINT NOT NULL,
	PRIMARY KEY (ELECTION, NODE_ID)
);
