-- Rate limits: counted in blocks, and of no value after a crash, so not worth the write-ahead log.

create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
