-- The database `payments` with its two roles. payments_owner owns everything and runs migrations;
-- payments_service, which APIs, workers and commands use, owns nothing and reads and writes rows.
-- compose.yaml runs this when it makes the database. Elsewhere an administrator runs it once, with
-- psql (14 or later), connected to any database of the server:
--   OWNER_PASSWORD=… SERVICE_PASSWORD=… psql --set ON_ERROR_STOP=1 --file roles.sql "$ADMIN_URL"

\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD

create role payments_owner login password :'owner_password';
create role payments_service login password :'service_password';
-- An administrator who is no superuser acts for the owner below.
grant payments_owner to current_user;

create database payments owner payments_owner;
revoke all on database payments from public;
grant connect on database payments to payments_service;

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
