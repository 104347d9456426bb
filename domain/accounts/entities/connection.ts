import { ofQueue, p, table } from '../../shared/columns.ts';
import { slots } from '../../shared/slot.ts';
import { Tenant } from './tenant.ts';

/** A tenant's account at a provider, in one mode. */
export const Connection = table('connections', {
  id: p.ascii().primary(),
  tenant_id: () => p.manyToOne(Tenant).mapToPk(),
  mode: p.enum(['live', 'test']),
  slot: p.enum(slots),
  adapter: p.text(),
  /** Sealed JSON of the adapter's own credential names. */
  credentials: p.text(),
  sandbox: p.boolean(),
  /** `auto` tries the mode's connections in this order. */
  position: p.smallint(),
  created_at: p.timestamp(),
  /** When the provider began to refuse the credentials; null: it accepts them. */
  credentials_refused_at: p.timestamp().strictNullable(),
  /** Until when the provider takes no calls, as its 429 said, by what it counts; null: none. */
  calls_paused: p.json<Record<string, string>>().strictNullable(),
  /** Not null: nothing new is sent through it; what was sent is still checked. */
  disabled_at: p.timestamp().strictNullable(),
  /** Since when its past is brought in; null: it is not, or all of it is here. */
  importing_since: p.timestamp().strictNullable(),
  /** The names of its tasks, as housekeeping created them. */
  tasks: p.ascii(),
});

export const ConnectionTask = table('connection_tasks', {
  id: p.ascii().primary(),
  connection_id: p.ascii(),
  task: p.enum(['disputes', 'settlements', 'audit', 'payments', 'refunds', 'books']),
  /** How far a round got that does not fit into one claim. */
  progress: p.json<unknown>().columnType('json').strictNullable(),
  ...ofQueue,
  done_at: p.timestamp().strictNullable(),
});
