import { bare, id, type JsonSchema, reference } from '../http/schema.ts';

interface TagText {
  /** Given where it is not what the path says. */
  title?: string;
  about: string;
  parameter?: { description: string; schema: JsonSchema };
}

/** Tags by the first segment of a path, in the order a reader wants them. */
export const tags: Record<string, TagText> = {
  charges: {
    about:
      'A charge asks a customer to pay: it has a hosted payment page (its checkout) and becomes ' +
      'a transaction when it is paid.',
    parameter: { description: 'The service reference, `SV-<number>`.', schema: bare(reference()) },
  },
  transactions: {
    about:
      'The ledger: every charge from its creation on, with what was paid, its fee and its ' +
      'settlement.',
    parameter: {
      description: 'A `txn_` id, or a service reference `SV-<number>`.',
      schema: { type: 'string', examples: ['SV-100001'] },
    },
  },
  refunds: {
    about:
      'Giving money back. A refund is requested, waits for an Owner of the business to approve it, ' +
      'and is then sent to the provider.',
    parameter: named('refund', 'ref'),
  },
  reviews: {
    about:
      'Payments that do not fit their charge: too little, too much, twice, for another charge, or ' +
      'in dispute; and provider statuses that are not known. An Owner or a member of finance ' +
      'accepts or returns them.',
    parameter: named('review', 'rev'),
  },
  disputes: {
    about:
      'Payments that the payer’s bank asks back. Each says why and until when the provider takes ' +
      'an answer, where the provider says so. Evidence, or that you accept it, is sent to providers ' +
      'that take it by their API; others are answered in their dashboards.',
    parameter: named('dispute', 'dsp'),
  },
  'payment-links': {
    about: 'An address to share: whoever opens it can pay, once, until it expires.',
    parameter: named('payment link', 'lnk'),
  },
  settlements: {
    about:
      'Payouts of collected money by the providers, with the transactions in them and what fell short.',
    parameter: named('settlement', 'stl'),
  },
  statements: {
    about:
      'What the money of a month did, account by account: for whoever keeps the books. Every ' +
      'movement of money debits one account and credits another.',
    parameter: {
      description: 'The month, such as `2026-11`, in the time zone of the business.',
      schema: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$', examples: ['2026-11'] },
    },
  },
  discrepancies: {
    about:
      'A difference in kobo between our records and a settlement, or a provider’s list of ' +
      'payments. It is resolved when it vanishes, or closed by a person who accepts it.',
    parameter: named('discrepancy', 'dsc'),
  },
  balances: {
    about:
      'What became of your money at each provider, now and at any moment of the past, to the kobo.',
  },
  'balance-transactions': {
    about: 'Each change of what a provider still has to pay out, with what changed it.',
  },
  events: { about: 'Every event that webhooks deliver, to read at your own pace, oldest first.' },
  business: { about: 'The settings of your business.' },
  auth: {
    title: 'Signing in',
    about:
      'Tokens of members of the business, for first-party clients. A token belongs to one mode.',
  },
  'api-keys': {
    about: 'Secret and public keys. A key is shown once, when it is made.',
    parameter: named('API key', 'key'),
  },
  'webhook-endpoints': {
    about: 'Where webhooks of a mode are sent.',
    parameter: named('webhook endpoint', 'whe'),
  },
  deliveries: {
    about: 'Each event sent to each endpoint, with every try.',
    parameter: named('delivery', 'dlv'),
  },
  connections: {
    about: 'The business’s accounts at payment providers, per mode.',
    parameter: named('connection', 'con'),
  },
  members: {
    about: 'The people of the business and their roles.',
    parameter: named('member', 'mem'),
  },
};

function named(noun: string, prefix: string): NonNullable<TagText['parameter']> {
  return { description: `Id of the ${noun}, \`${prefix}_…\`.`, schema: bare(id(prefix)) };
}

export function tagOf(path: string): string {
  return path.split('/')[1] ?? '';
}

export function tagTitle(tag: string): string {
  const words = tag.replaceAll('-', ' ').replace(/\bapi\b/, 'API');
  return tags[tag]?.title ?? words.charAt(0).toUpperCase() + words.slice(1);
}
