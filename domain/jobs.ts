/**
 * One queue: its rows, how long a claim lasts, and how many rows a process works on
 * at once.
 */
export interface QueueSpec {
  table:
    | 'attempts'
    | 'connection_tasks'
    | 'deliveries'
    | 'dispute_responses'
    | 'mails'
    | 'notifications'
    | 'refunds';
  /** SQL condition: a due row of the table belongs to this queue while it holds. */
  where: string;
  /** The column by which work is shared: its rows with one value are a group. */
  group: 'connection_id' | 'endpoint_id' | 'tenant_id';
  /**
   * True: a group has one row at most, so due rows are found by their time alone. Otherwise an
   * index on (group, due_at) finds the due rows of each group, however many rows wait.
   */
  oneRowPerGroup?: boolean;
  /**
   * True: most rows wait for a later time, in so many groups that the few that are due are found by
   * an index on due_at alone. Where many are, they are found group by group.
   */
  isFoundByTime?: boolean;
  /**
   * The time-outs of the job's outward calls together, plus 10 s. A claimed row that nobody settled
   * is due again after this.
   */
  leaseMs: number;
  /** Rows in flight at once in a process. */
  concurrency: number;
  /** Those of one group. */
  maxPerGroup: number;
  /** Those of one group while it fails. */
  maxPerFailingGroup?: number;
  /** Those whose connections call one provider. */
  maxPerProvider?: number;
  /** True: a process that makes a row due and works on this queue begins with it, without a job. */
  isHandedOver?: boolean;
  /** True: rows that wait for their next try are tried as soon as their provider answers again. */
  isWoken?: boolean;
}

/** A row of a queue at one of its tries: how often it has been claimed. */
export interface DueRow {
  id: string;
  tries: number;
}

/** The longest a call to the outside may take, in ms. Leases are computed from them. */
export interface Timeouts {
  createMs: number;
  /** One call about a payment, a refund or a dispute. */
  verifyMs: number;
  /** All calls of a verification: at some providers it reads pages. */
  verifyTotalMs: number;
  /** All pages of a list that is read in one go: of a payment's refunds, or of disputes. */
  walkMs: number;
  deliveryMs: number;
  mailMs: number;
  credentialsMs: number;
  /** One page of a list that is read over several claims. */
  listMs: number;
}

export const timeouts: Timeouts = {
  createMs: 10_000,
  verifyMs: 8_000,
  verifyTotalMs: 12_000,
  walkMs: 20_000,
  deliveryMs: 10_000,
  // A server may scan a mail before it says that it has it.
  mailMs: 60_000,
  credentialsMs: 5_000,
  listMs: 20_000,
};

const SLACK_MS = 10_000;

/** How long asking a provider about an attempt may take. */
export interface AskTimes {
  /** One call. */
  callMs: number;
  /** All calls of the verification. */
  verificationMs: number;
  /** The verification, and reading the refunds that it mentions. */
  totalMs: number;
}

export function askTimes({ verifyMs, verifyTotalMs, walkMs }: Timeouts): AskTimes {
  return {
    callMs: verifyMs,
    verificationMs: verifyTotalMs,
    totalMs: verifyTotalMs + walkMs,
  };
}

/**
 * Before and after a payment is created its attempt is only verified: a payer waits for the link,
 * and one whose refunds take longer to read is read by its check.
 */
export function askTimesOfCreate(times: Timeouts): AskTimes {
  return { ...askTimes(times), totalMs: times.verifyTotalMs };
}

const { totalMs: askMs } = askTimes(timeouts);

/** Open disputes that one claim checks, one by one. */
export const disputesAskedAtOnce = 10;
/** No further one is asked about after this. */
export const DISPUTES_MS = 40_000;

/** A notification that names several attempts: no further one is verified after this. */
export const VERIFYING_MS = 8_000;

/** How long one claim reads a provider's list. The next claim continues. */
export const READING_MS = 45_000;
/** Time for what follows: the last page, and computing the totals of a large payout. */
const FINISHING_MS = 60_000;

/**
 * How the rows of money queues share a process. They wait for a provider most of the time, so many
 * are in flight at once; a provider that answers slowly holds less than half of them, and one of
 * its connections half of those.
 */
const forMoney = {
  group: 'connection_id',
  concurrency: 100,
  maxPerProvider: 40,
  maxPerGroup: 20,
  isWoken: true,
} as const;

/** Refunds are fewer, and nobody waits at a screen for them. */
const forRefunds = {
  group: 'connection_id',
  concurrency: 50,
  maxPerProvider: 20,
  maxPerGroup: 10,
} as const;

/** A connection has one row of each task. */
const forTasks = {
  table: 'connection_tasks',
  group: 'connection_id',
  oneRowPerGroup: true,
  maxPerGroup: 1,
} as const;

/**
 * Every queue with rows. API and workers meet here and in the database, nowhere else.
 */
export const queues = {
  'charge-create': {
    ...forMoney,
    table: 'attempts',
    where: "status in ('queued', 'sending', 'unconfirmed')",
    leaseMs: 2 * timeouts.verifyTotalMs + timeouts.credentialsMs + timeouts.createMs + SLACK_MS,
  },
  'charge-check': {
    ...forMoney,
    table: 'attempts',
    where: "status in ('open', 'lost', 'captured', 'declined', 'expired', 'refused')",
    isFoundByTime: true,
    leaseMs: askMs + SLACK_MS,
  },
  'payments-list': {
    ...forTasks,
    where: "task = 'payments'",
    leaseMs: READING_MS + Math.max(timeouts.listMs, askMs) + SLACK_MS,
    concurrency: 50,
    maxPerProvider: 20,
    isWoken: true,
  },
  'refunds-list': {
    ...forTasks,
    where: "task = 'refunds'",
    leaseMs: READING_MS + timeouts.listMs + SLACK_MS,
    concurrency: 20,
    maxPerProvider: 8,
  },
  'notification-process': {
    ...forMoney,
    table: 'notifications',
    where: "status = 'received'",
    leaseMs: VERIFYING_MS + askMs + SLACK_MS,
  },
  'refund-execute': {
    ...forRefunds,
    table: 'refunds',
    where: "status = 'approved'",
    leaseMs: timeouts.walkMs + timeouts.createMs + SLACK_MS,
  },
  'refund-check': {
    ...forRefunds,
    table: 'refunds',
    where:
      "status in ('sending', 'unconfirmed', 'unresolved', 'processing', 'needs_attention', 'reappeared')",
    leaseMs: 2 * timeouts.walkMs + timeouts.createMs + SLACK_MS,
  },
  'dispute-check': {
    ...forTasks,
    where: "task = 'disputes'",
    leaseMs: timeouts.walkMs + DISPUTES_MS + timeouts.walkMs + SLACK_MS,
    concurrency: 10,
    maxPerProvider: 4,
  },
  'dispute-respond': {
    table: 'dispute_responses',
    where: "status in ('waiting', 'sending')",
    group: 'connection_id',
    // The dispute is looked up, answered, and looked up again where the answer is refused.
    leaseMs: 3 * timeouts.walkMs + SLACK_MS,
    // Each may hold a file of some MB.
    concurrency: 10,
    maxPerProvider: 4,
    maxPerGroup: 2,
  },
  'settlement-reconcile': {
    ...forTasks,
    where: "task = 'settlements'",
    leaseMs: READING_MS + timeouts.listMs + FINISHING_MS + SLACK_MS,
    concurrency: 4,
    maxPerProvider: 2,
  },
  'payment-audit': {
    ...forTasks,
    where: "task = 'audit'",
    leaseMs: READING_MS + Math.max(timeouts.listMs, askMs) + SLACK_MS,
    concurrency: 4,
    maxPerProvider: 2,
  },
  'books-check': {
    ...forTasks,
    where: "task = 'books'",
    leaseMs: READING_MS + SLACK_MS,
    // It asks no provider, and reads all that is on record.
    concurrency: 2,
  },
  'webhook-deliver': {
    table: 'deliveries',
    where: "status = 'pending'",
    group: 'endpoint_id',
    leaseMs: timeouts.deliveryMs + SLACK_MS,
    concurrency: 400,
    maxPerGroup: 10,
    // Enough to notice that the endpoint works again, too few to occupy the pool.
    maxPerFailingGroup: 2,
    isHandedOver: true,
  },
  'mail-send': {
    table: 'mails',
    where: "status in ('pending', 'sending')",
    group: 'tenant_id',
    leaseMs: timeouts.mailMs + SLACK_MS,
    // Each has a connection of its own, of which mail servers take a few dozen.
    concurrency: 20,
    maxPerGroup: 5,
  },
} as const satisfies Record<string, QueueSpec>;

export type RowQueue = keyof typeof queues;

/**
 * A job ends at least this long before its lease, so that no two processes work on one row.
 */
const BEFORE_LEASE_ENDS_MS = 1_000;

/** How long a job of the queue may take. */
export const jobTimeoutMs = (queue: RowQueue): number =>
  queues[queue].leaseMs - BEFORE_LEASE_ENDS_MS;

/** The queue without rows of its own: expiry and retention, enqueued by a job scheduler. */
export const HOUSEKEEPING = 'housekeeping';
export type QueueName = RowQueue | typeof HOUSEKEEPING;
export const queueNames: readonly QueueName[] = [
  ...(Object.keys(queues) as RowQueue[]),
  HOUSEKEEPING,
];

/**
 * What to enqueue after the commit of the transaction that made a row due: a group has a due row.
 * Whoever gets the job claims the group's due rows, so the row is the source of truth.
 */
export interface Job {
  queue: RowQueue;
  /** The row's endpoint, connection or business, by which work is shared. */
  group: string;
  /** The row, which people who look at the queue read; absent: a sweep found the group. */
  id?: string;
  /** Not before this time; absent: at once. */
  dueAt?: Date;
}
