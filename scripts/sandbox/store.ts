import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../domain/shared/sql.ts';
import { type Collection, createCollection, type Kept } from './collection.ts';
import type { Deduction, Dispute, Documents, Payment } from './records.ts';

type Kind = keyof Documents;

/** Of documents whose numbers nobody sees. */
const firstId = 2_000_000;

/** Numbers begin where the providers' examples are, so that ids look real and never overlap. */
const kinds: { [K in Kind]: Kept<Documents[K]> } = {
  account: {
    firstId: 412_829,
    keys: ({ provider, secretKey }) => ['all', `key ${provider} ${secretKey}`],
  },
  payment: { firstId: 4_099_260_516, keys: paymentKeys },
  refund: {
    firstId: 3_018_284,
    keys: ({ accountId, paymentId, dueAt, reference }) => [
      `account ${accountId}`,
      `payment ${paymentId}`,
      ...(dueAt ? ['due'] : []),
      ...(reference === null ? [] : [`reference ${reference}`]),
    ],
  },
  dispute: {
    firstId: 358_950,
    keys: (dispute) => [
      ...ofAccountAndPayment(dispute),
      ...(dispute.file ? [`file ${dispute.file.name}`] : []),
    ],
  },
  settlement: { firstId: 3_090_024, keys: ({ accountId }) => [`account ${accountId}`] },
  deduction: { firstId, keys: ofAccountAndPayment },
  notification: { firstId, keys: () => ['due'], isOver: ({ dueAt }) => dueAt === null },
  scenario: { firstId, keys: () => ['due'], isOver: ({ dueAt }) => dueAt === null },
  token: {
    firstId,
    keys: ({ accountId, token }) => ['all', `token ${token}`, `account ${accountId}`],
  },
  reference: {
    firstId,
    keys: ({ accountId, reference }) => [
      `${accountId} ${reference}`,
      ...chargeOf(reference).map((charge) => `charge ${charge}`),
    ],
  },
  counts: { firstId, keys: ({ provider }) => [provider] },
};

function ofAccountAndPayment({ accountId, paymentId }: Dispute | Deduction): string[] {
  return [`account ${accountId}`, `payment ${paymentId}`];
}

/** A charge's payments are found by its `SV-<n>`, too, with eight characters after it. */
function paymentKeys({ kind, accountId, linkId, reference, accessCode }: Payment): string[] {
  return [
    `account ${accountId}`,
    `reference ${reference}`,
    ...chargeOf(reference).map((charge) => `reference ${charge}`),
    kind === 'attempt' ? `link ${linkId}` : `page ${accessCode}`,
  ];
}

/** The `SV-<n>` that a reference was made for, if any. */
export function chargeOf(reference: string): string[] {
  return /^SV-\d+(?=-.{8}$)/s.exec(reference) ?? [];
}

/** Everything the sandbox keeps: in memory, and in PostgreSQL for the next sandbox. */
export type Store = { [K in Kind]: Collection<Documents[K]> } & {
  /** Reads what is in the database and not in memory. */
  load(): Promise<void>;
  /** Resolves once everything that has changed is in the database. */
  saved(): Promise<void>;
};

/** A little is written together: that is short beside the time that providers take to answer. */
const SPACING_MS = 20;

const SAVE = `insert into sandbox.document (kind, id, body)
  select * from unnest($1::text[], $2::bigint[], $3::json[])
  on conflict (kind, id) do update set body = excluded.body`;

/** The demo's history is written while the sandbox runs: its numbers end before all others. */
const BEFORE = 100_000;

/** An empty store. Alone, a change is written at once. */
export function createStore(sql: Sql, { isPast = false } = {}): Store {
  const changed = new Map<{ id: number }, Kind>();
  const removed = new WeakSet<object>();
  let writing = Promise.resolve();
  let next: Promise<void> | undefined;
  let pausing: Promise<unknown> = writing;

  function collect<K extends Kind>(kind: K): Collection<Documents[K]> {
    const { firstId, ...kept } = kinds[kind];
    return createCollection(
      { ...kept, firstId: isPast ? firstId - BEFORE : firstId } as Kept<Documents[K]>,
      (document, isRemoved) => {
        changed.set(document, kind);
        if (isRemoved) removed.add(document);
      },
    );
  }

  const collections = Object.fromEntries(
    Object.keys(kinds).map((kind) => [kind, collect(kind as Kind)]),
  ) as unknown as { [K in Kind]: Collection<Documents[K]> };

  async function load(): Promise<void> {
    const wanted = isPast ? "kind = 'account'" : 'true';
    const rows = await sql.query<{ kind: Kind; id: number; body: string | null }>(
      `select kind, id, body::text as body from sandbox.document where ${wanted} order by kind, id`,
    );
    for (const { kind, id, body } of rows)
      if (body === null) collections[kind].reserve(id);
      else collections[kind].keep(JSON.parse(body, readTime));
  }

  async function write(): Promise<void> {
    const documents = [...changed];
    changed.clear();
    try {
      await sql.query(SAVE, [
        documents.map(([, kind]) => kind),
        documents.map(([{ id }]) => id),
        documents.map(([document]) => (removed.has(document) ? null : JSON.stringify(document))),
      ]);
    } catch (error) {
      for (const [document, kind] of documents) changed.set(document, kind);
      throw error;
    }
  }

  async function writeNext(): Promise<void> {
    await Promise.allSettled([writing, pausing]);
    next = undefined;
    if (changed.size > 0) {
      if (!isPast) pausing = pause(SPACING_MS, undefined, { ref: false });
      writing = write();
    }
    await writing;
  }

  return {
    ...collections,
    load,
    saved() {
      if (changed.size === 0) return writing;
      next ??= writeNext();
      return next;
    },
  };
}

function readTime(name: string, value: unknown): unknown {
  return name.endsWith('At') && typeof value === 'string' ? new Date(value) : value;
}
