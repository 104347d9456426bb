import Type, { type Static, type TSchema } from 'typebox';
import type { TenantRow } from '../../domain/accounts/tenant/business.ts';
import type { AccountCodes } from '../../domain/journal/account-codes.ts';
import type { Account } from '../../domain/journal/moved.ts';
import { MAX_AMOUNT_KOBO } from '../../domain/shared/money.ts';
import {
  body,
  kind,
  kobo,
  nullable,
  nullInExample,
  object,
  string,
  tenantId,
  text,
  time,
} from '../http/schema.ts';

const name = () =>
  text(100, {
    format: 'not-blank',
    description: 'The name that payers see.',
    examples: ['Ada’s Shop'],
  });

const requiresSecondFactor = () =>
  Type.Boolean({
    description:
      'True: every member signs in with a code of an authenticator app. Sessions without one wait ' +
      'until it is set up.',
    examples: [false],
  });

const supportEmail = () =>
  text(254, {
    format: 'email',
    description: 'Where payers can write to you: they see it when they pay.',
    examples: ['help@shop.example'],
  });

const supportPhone = () =>
  text(40, {
    format: 'phone',
    description:
      'Where payers can call you: they see it when they pay. ' +
      'Nigerian numbers are stored in international form.',
    examples: ['+2348012345678'],
  });

const sendsReceipts = () =>
  Type.Boolean({
    description: 'True: payers get a receipt by mail, in live mode.',
    examples: [false],
  });

const sendsPaymentLinks = () =>
  Type.Boolean({
    description:
      'True: a payment link is mailed to its customer where their e-mail address is given, and one ' +
      'reminder, in live mode.',
    examples: [false],
  });

const refundsRequireSecondPerson = () =>
  Type.Boolean({
    description:
      'True: an Owner who asked for a refund does not approve it; what a key asked for, any Owner ' +
      'may approve. Two Owners return a payment in review or accept a dispute. Takes two Owners who ' +
      'can sign in.',
    examples: [false],
  });

const refundsRequireTwoOwners = () =>
  nullInExample(
    kobo(
      'Two Owners approve that more than this goes back of a charge, in kobo: refunds, payments in ' +
        'review and accepted disputes together; null: one approves each. ' +
        'Takes two Owners who can sign in.',
      50_000_000,
      { minimum: 0, maximum: MAX_AMOUNT_KOBO },
    ),
  );

/** What each account of the journal holds. */
export const accountWords: Record<Account, string> = {
  at_provider: 'Collected, and not paid out yet.',
  bank: 'Paid out to your bank.',
  held_by_dispute: 'Withheld by providers while a dispute is open.',
  collected: 'What payers paid for your charges.',
  fees: 'What providers kept.',
  refunds: 'What went back to payers of what was collected.',
  disputes_lost: 'What payers’ banks took back.',
  payers: 'Owed to payers: paid twice, too much, or on hold.',
  other_business: 'In your payouts, and of another business of yours.',
  differences: 'Missing in payouts, or too much, while nobody knows why.',
  written_off: 'Differences whose reason is known.',
};

const accountCodes = <Field extends TSchema>(field: (description: string) => Field) =>
  Object.fromEntries(
    Object.entries(accountWords).map(([account, description]) => [account, field(description)]),
  ) as Record<Account, Field>;

const codeExample = { examples: ['1210'] };

const ACCOUNT_CODES =
  'What your own books call each account of the journal, for exports to accountants.';

export const updateBusinessBody = body('UpdateBusinessBody', {
  name: Type.Optional(name()),
  time_zone: Type.Optional(
    text(64, {
      format: 'time-zone',
      description: 'The time zone of its days, by its IANA name.',
      examples: ['Africa/Lagos'],
    }),
  ),
  requires_second_factor: Type.Optional(requiresSecondFactor()),
  support_email: Type.Optional(nullable(supportEmail())),
  support_phone: Type.Optional(nullable(supportPhone())),
  sends_receipts: Type.Optional(sendsReceipts()),
  sends_payment_links: Type.Optional(sendsPaymentLinks()),
  refunds_require_second_person: Type.Optional(refundsRequireSecondPerson()),
  refunds_require_two_owners_above_kobo: Type.Optional(refundsRequireTwoOwners()),
  account_codes: Type.Optional(
    body(
      'UpdateAccountCodes',
      accountCodes((description) =>
        Type.Optional(nullable(text(40, { format: 'account-code', description, ...codeExample }))),
      ),
      { description: `${ACCOUNT_CODES} Null takes a code back; the others stay.` },
    ),
  ),
});

export type UpdateBusinessBody = Static<typeof updateBusinessBody>;

export const business = object('Business', 'The merchant’s business.', {
  object: kind('business'),
  id: tenantId(),
  name: name(),
  time_zone: string('The time zone of its days, by its IANA name.', { examples: ['Africa/Lagos'] }),
  requires_second_factor: requiresSecondFactor(),
  support_email: nullable(
    string('Where payers can write to you; null: they see none.', {
      examples: ['help@shop.example'],
    }),
  ),
  support_phone: nullable(
    string('Where payers can call you; null: they see none.', { examples: ['+2348012345678'] }),
  ),
  sends_receipts: sendsReceipts(),
  sends_payment_links: sendsPaymentLinks(),
  refunds_require_second_person: refundsRequireSecondPerson(),
  refunds_require_two_owners_above_kobo: refundsRequireTwoOwners(),
  logo_url: nullable(
    string('Where your logo is, as payers see it; null: you have none.', {
      examples: [`https://pay.example.com/logos/${'0123456789abcdef'.repeat(4)}.png`],
    }),
  ),
  account_codes: object(
    'AccountCodes',
    `${ACCOUNT_CODES} Null: it goes by the name it has here.`,
    accountCodes((description) => nullable(string(description, codeExample))),
  ),
  created_at: time('When it was created.'),
});

export function businessView(row: TenantRow, logoUrl: string | null, codes: AccountCodes) {
  return {
    object: 'business' as const,
    id: row.id,
    name: row.name,
    time_zone: row.time_zone,
    requires_second_factor: row.requires_second_factor,
    support_email: row.support_email,
    support_phone: row.support_phone,
    sends_receipts: row.sends_receipts,
    sends_payment_links: row.sends_payment_links,
    refunds_require_second_person: row.refunds_require_second_person,
    refunds_require_two_owners_above_kobo: row.refunds_require_two_owners_above_kobo,
    logo_url: logoUrl,
    account_codes: codes,
    created_at: row.created_at.toISOString(),
  };
}
