-- Only the owner of a table changes its partitions, and housekeeping may run as a role that owns
-- nothing (config/deploy/postgres/roles.sql). These functions run as their owner and take no SQL:
-- names are checked, so that whoever may call them can change partitions of ours and nothing else.

create function require_partition_name(parent text, name text) returns void
  language plpgsql set search_path = public, pg_temp as $$
begin
  if name !~ ('^' || parent || '_[0-9]{8}$') or not exists (
    select from pg_class
    where oid = to_regclass('public.' || quote_ident(parent)) and relkind = 'p') then
    raise exception '% is no name of a partition of %', name, parent;
  end if;
end $$;

-- Rows of the range that the default partition has move into the new one, which is stored as it is.
create function create_partition(parent text, name text, first text, past text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  key text := (select attname from pg_partitioned_table
    join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
    where partrelid = to_regclass('public.' || quote_ident(parent)));
  options text := (select ' with (' || array_to_string(reloptions, ', ') || ')' from pg_class
    where oid = to_regclass('public.' || quote_ident(parent || '_default')));
begin
  perform require_partition_name(parent, name);
  execute format('create table %I (like %I including defaults including constraints
    including storage)%s', name, parent, options);
  execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *)
    insert into %I select * from moved', parent || '_default', key, first, key, past, name);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)',
    parent, name, first, past);
end $$;

create function detach_partition(parent text, name text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_partition_name(parent, name);
  execute format('alter table %I detach partition %I', parent, name);
end $$;

-- Drops a partition that was detached.
create function drop_partition(parent text, name text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_partition_name(parent, name);
  execute format('drop table %I', name);
end $$;

revoke execute on function create_partition, detach_partition, drop_partition from public;
