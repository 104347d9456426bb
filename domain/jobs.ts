/** What one queue owes: the table whose rows it rings for, how long a claim holds a row, how many are worked on at once. */
export interface QueueSpec {
  table: 'attempts' | 'connection_tasks' | 'deliveries' | 'notifications' | 'refunds';
  /** SQL condition under which a due row of the table is this queue's. */
  claims: string;
  /** The job's outward time-outs together, plus 10 s: a claimed row nobody finished is enqueued again after this. */
  leaseMs: number;
  /** Rows in hand at once in a process. */
  concurrency: number;
  /** Rows that one job may ring for; 1 where nothing is said. */
  rowsPerJob?: number;
}

/** A row that is due: which one, and how often it had been claimed when its bell was made. A claim with another count does nothing. */
export interface DueRow {
  id: string;
  tries: number;
}

/** The longest a call to the outside may take, in ms. Leases are made of them. */
export interface Timeouts {
  createMs: number;
  verifyMs: number;
  deliveryMs: number;
  credentialsMs: number;
  /** One page of a list that may be long. */
  listMs: number;
}

export const timeouts: Timeouts = {
  createMs: 10_000,
  verifyMs: 8_000,
  deliveryMs: 10_000,
  credentialsMs: 5_000,
  listMs: 20_000,
};

const SLACK_MS = 10_000;

/** Open disputes that are asked about one by one in one claim. */
export const disputesAskedAtOnce = 10;

/** How long one claim goes on reading what a provider lists; the rest is the next claim's. */
export const READING_MS = 45_000;
/** What is left to do when that time is over: the page in hand, and weighing a large payout. */
const FINISHING_MS = 60_000;

/** Every queue that works through rows. API and workers meet here and in the database, nowhere else. */
export const queues = {
  'charge-create': {
    table: 'attempts',
    claims: "status = 'sending'",
    leaseMs: timeouts.createMs + 2 * timeouts.verifyMs + SLACK_MS,
    concurrency: 20,
  },
  'charge-check': {
    table: 'attempts',
    claims: "status <> 'sending'",
    leaseMs: timeouts.verifyMs + SLACK_MS,
    concurrency: 20,
  },
  'notification-process': {
    table: 'notifications',
    claims: "status = 'received'",
    leaseMs: 3 * timeouts.verifyMs + SLACK_MS,
    concurrency: 20,
  },
  'refund-execute': {
    table: 'refunds',
    claims: "status in ('approved', 'processing') and sent_at is null",
    leaseMs: timeouts.createMs + 2 * timeouts.verifyMs + SLACK_MS,
    concurrency: 10,
  },
  'refund-check': {
    table: 'refunds',
    // A failed one is due where its provider showed it under way afterwards.
    claims: "status in ('processing', 'failed') and sent_at is not null",
    leaseMs: timeouts.createMs + 2 * timeouts.verifyMs + SLACK_MS,
    concurrency: 10,
  },
  'dispute-check': {
    table: 'connection_tasks',
    claims: "task = 'disputes'",
    leaseMs: (1 + disputesAskedAtOnce) * timeouts.verifyMs + SLACK_MS,
    concurrency: 5,
  },
  'settlement-reconcile': {
    table: 'connection_tasks',
    claims: "task = 'settlements'",
    leaseMs: READING_MS + timeouts.listMs + FINISHING_MS + SLACK_MS,
    concurrency: 2,
  },
  'payment-audit': {
    table: 'connection_tasks',
    claims: "task = 'audit'",
    leaseMs: READING_MS + timeouts.listMs + timeouts.verifyMs + SLACK_MS,
    concurrency: 2,
  },
  'webhook-deliver': {
    table: 'deliveries',
    claims: "status = 'pending'",
    leaseMs: timeouts.deliveryMs + SLACK_MS,
    concurrency: 400,
    rowsPerJob: 50,
  },
} as const satisfies Record<string, QueueSpec>;

export type RowQueue = keyof typeof queues;

/** The queue without rows of its own: expiry and retention, rung by a job scheduler. */
export const HOUSEKEEPING = 'housekeeping';
export type QueueName = RowQueue | typeof HOUSEKEEPING;
export const queueNames: readonly QueueName[] = [
  ...(Object.keys(queues) as RowQueue[]),
  HOUSEKEEPING,
];

/** A bell to ring once the transaction that promised the work has committed. Only ids travel: the row says what is owed. */
export interface Job extends DueRow {
  queue: RowQueue;
  /** Raised by the sweeper, so that a second ring is not swallowed as the first one's duplicate. */
  enqueues?: number;
  /** Not before this time; absent: at once. */
  dueAt?: Date;
}
