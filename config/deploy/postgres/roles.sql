-- The database `payments` with its three roles. payments_owner owns everything and runs migrations;
-- payments_service, which APIs, workers and commands use, owns nothing and reads and writes rows;
-- payments_support, for people who look into a case, reads what each migration lets it: no payer's
-- data, no secret, no hash (config/database/support-role.ts). Without a password nobody is let in.
-- compose.yaml runs this when it makes the database. Elsewhere an administrator runs it once, with
-- psql (14 or later), connected to any database of the server:
--   OWNER_PASSWORD=… SERVICE_PASSWORD=… SUPPORT_PASSWORD=… psql --set ON_ERROR_STOP=1 --file roles.sql "$ADMIN_URL"

\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
\set support_password ''
\getenv support_password SUPPORT_PASSWORD

create role payments_owner login password :'owner_password';
create role payments_service login password :'service_password';
create role payments_support login connection limit 5 password :'support_password';
-- An administrator who is no superuser acts for the owner below.
grant payments_owner to current_user;

create database payments owner payments_owner;
revoke all on database payments from public;
grant connect on database payments to payments_service, payments_support;
-- What a person looks up must hold up no payment.
alter role payments_support in database payments set default_transaction_read_only = on;
alter role payments_support in database payments set statement_timeout = '30s';
alter role payments_support in database payments set idle_in_transaction_session_timeout = '30s';

\connect payments

-- What migrations make from now on, in every schema.
alter default privileges for role payments_owner
  grant usage on schemas to payments_service;
alter default privileges for role payments_owner
  grant select, insert, update, delete on tables to payments_service;
alter default privileges for role payments_owner
  grant usage on sequences to payments_service;
alter default privileges for role payments_owner
  grant execute on functions to payments_service;
