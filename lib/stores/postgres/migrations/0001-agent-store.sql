-- Conversations, their journals, and the ledger of calls and approvals.
-- Run with `search_path` at the schema that they are to live in; `migrate()` of nestjs-palette/postgres does.
-- Times are milliseconds since the epoch, by this server's clock. Lists and principals are JSON in text columns, where
-- PostgreSQL keeps them byte for byte; in free text, U+001B and four hexadecimal digits stand for a character that no
-- text column can hold (U+0000, half a surrogate pair) or for U+001B itself.

CREATE TABLE palette_conversations (
  id                text COLLATE "C" PRIMARY KEY,
  owner             text NOT NULL,
  created_at        bigint NOT NULL,
  updated_at        bigint NOT NULL,
  last_seq          integer NOT NULL,
  open_run_id       text,
  fence             integer NOT NULL,
  holder            text,
  lease_ends_at     bigint NOT NULL,
  queued_seqs       text NOT NULL,
  pending_approvals integer NOT NULL CHECK (pending_approvals >= 0)
);

-- What the sweeper looks at: however many conversations wait for a person, none of them is in it.
CREATE INDEX palette_conversations_runnable ON palette_conversations (updated_at)
  WHERE pending_approvals = 0 AND (open_run_id IS NOT NULL OR queued_seqs <> '[]');

CREATE TABLE palette_entries (
  conversation_id text COLLATE "C" NOT NULL REFERENCES palette_conversations ON DELETE CASCADE,
  seq             integer NOT NULL,
  at              bigint NOT NULL,
  schema_version  integer NOT NULL,
  item            text NOT NULL,
  PRIMARY KEY (conversation_id, seq)
);

CREATE TABLE palette_operations (
  conversation_id text COLLATE "C" NOT NULL REFERENCES palette_conversations ON DELETE CASCADE,
  operation_id    text COLLATE "C" NOT NULL,
  first_seq       integer NOT NULL,
  entries         integer NOT NULL,
  PRIMARY KEY (conversation_id, operation_id)
);

CREATE TABLE palette_calls (
  conversation_id    text COLLATE "C" NOT NULL REFERENCES palette_conversations ON DELETE CASCADE,
  call_id            text COLLATE "C" NOT NULL,
  run_id             text NOT NULL,
  run_seq            integer NOT NULL,
  step               integer NOT NULL,
  place              integer NOT NULL,
  agent              text NOT NULL,
  tool_call_id       text NOT NULL,
  tool_name          text NOT NULL,
  arguments          text NOT NULL,
  arguments_hash     text NOT NULL,
  original_arguments text,
  idempotency_key    text NOT NULL,
  is_repeatable      boolean NOT NULL,
  state              text NOT NULL,
  approval_id        text COLLATE "C",
  attempts           integer NOT NULL,
  fence              integer,
  result             text,
  updated_at         bigint NOT NULL,
  acknowledged_at    bigint,
  acknowledged_by    text,
  PRIMARY KEY (conversation_id, call_id)
);

CREATE INDEX palette_calls_order ON palette_calls (conversation_id, run_seq, step, place);

CREATE INDEX palette_calls_open ON palette_calls (conversation_id) WHERE state IN ('waiting', 'ready', 'executing');

CREATE INDEX palette_calls_unknown ON palette_calls (updated_at) WHERE state = 'unknown' AND acknowledged_at IS NULL;

CREATE TABLE palette_approvals (
  approval_id          text COLLATE "C" PRIMARY KEY,
  position             bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  conversation_id      text COLLATE "C" NOT NULL,
  call_id              text COLLATE "C" NOT NULL,
  run_id               text NOT NULL,
  operation            text NOT NULL,
  reason               text NOT NULL,
  requester            text NOT NULL,
  requester_subject    text NOT NULL,
  requester_tenant     text,
  roles                text NOT NULL,
  may_requester_decide boolean NOT NULL,
  quorum               integer NOT NULL,
  state                text NOT NULL,
  created_at           bigint NOT NULL,
  expires_at           bigint NOT NULL,
  decided_at           bigint,
  votes                text NOT NULL,
  FOREIGN KEY (conversation_id, call_id) REFERENCES palette_calls ON DELETE CASCADE
);

CREATE INDEX palette_approvals_due ON palette_approvals (expires_at) WHERE state = 'pending';

CREATE INDEX palette_approvals_pending ON palette_approvals (position) WHERE state = 'pending';

CREATE INDEX palette_approvals_call ON palette_approvals (conversation_id, call_id);
