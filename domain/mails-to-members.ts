import { actorNames } from './accounts/actor-names.ts';
import { isOpenLink } from './accounts/member/member-links.ts';
import { isAllowed, type MemberRole, type Permission } from './accounts/roles.ts';
import { findRefundRules } from './accounts/tenant/refund-rules.ts';
import type { MailContent, ReadContent, Reading } from './mail/content.ts';
import type { MailRow } from './mail/row.ts';
import { firstApproverOf, type RequestedRefund } from './payments/refund/decide-approval.ts';
import { APPROVED_EARLIER } from './payments/refund/refundable.ts';
import { referenceOf } from './shared/ids.ts';
import { formatNaira } from './shared/money.ts';
import { timeIn } from './shared/time-in.ts';

/** More are not named, and more than `MOST_COUNTED` not counted. */
const MOST_NAMED = 10;
const MOST_COUNTED = 1_000;

const roleNames: Record<MemberRole, string> = {
  ...{ owner: 'an Owner', developer: 'a developer', finance: 'in finance' },
  ...{ support: 'in support', viewer: 'a viewer' },
};

interface Told {
  email: string;
  role: MemberRole;
  business: string;
  /** A time, as their business writes it. */
  at(time: Date): string;
}

type Says = (
  reading: Reading,
  mail: MailRow,
  told: Told,
) => Promise<Omit<MailContent, 'to'> | undefined>;

/** `permission`: who lost it is not told. */
function member(says: Says, permission?: Permission): ReadContent {
  return async (reading, mail) => {
    const [found] = await reading.sql.query<Omit<Told, 'at'> & { time_zone: string }>(
      `select m.email, m.role, t.name as business, t.time_zone
       from members m join tenants t on t.id = m.tenant_id
       where m.id = $1 and m.disabled_at is null`,
      [mail.member_id],
    );
    if (!found || (permission && !isAllowed(found.role, permission))) return undefined;
    const at = (time: Date) => timeIn(found.time_zone, time);
    const content = await says(reading, mail, { ...found, at });
    return content && { to: found.email, ...content };
  };
}

/** None where the link was used before, or is void. */
const withLink =
  (says: (mail: MailRow, told: Told) => Omit<MailContent, 'to' | 'link'>): Says =>
  async ({ sql, now, publicUrl, token }, mail, told) => {
    if (!(await isOpenLink(sql, token, now))) return undefined;
    const link = { label: 'Set your password', url: `${publicUrl}/set-password/${token}` };
    return { ...says(mail, told), link };
  };

const invitation = withLink(({ expires_at }, { email, role, business, at }) => ({
  subject: `You are invited to ${business}`,
  paragraphs: [
    `${business} collects payments here, and you may now sign in as ${email}. You are ${roleNames[role]}.`,
    `Set a password first. The link works once, until ${at(expires_at)}.`,
  ],
  note: `You do not know ${business}? Then ignore this mail.`,
}));

const passwordLink = withLink(({ expires_at }, { email, business, at }) => ({
  subject: `Set a new password for ${business}`,
  paragraphs: [
    `A link to set a new password was asked for, for ${email} at ${business}.`,
    `It works once, until ${at(expires_at)}. Until you use it, your password stays as it is.`,
  ],
  note: 'You did not ask for it? Then ignore this mail.',
}));

const passwordChanged: Says = async ({ publicUrl }, mail, { email, business, at }) => ({
  subject: `Your password for ${business} was changed`,
  paragraphs: [
    `The password of ${email} was changed on ${at(mail.created_at)}. ` +
      'Wherever else you were signed in, you are signed out.',
  ],
  link: { label: 'Set another password', url: `${publicUrl}/dashboard/forgotten-password` },
  note: 'It was not you? Set another password now, and tell an Owner of your business.',
});

const waits = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count < MOST_COUNTED ? count : `${MOST_COUNTED} or more`} ${many}`;

/** A page of the dashboard, in the mode that the mail is about. */
const pageIn = ({ mode }: MailRow, publicUrl: string, path: string) =>
  `${publicUrl}/dashboard${path}?mode=${mode}`;

const inMode = ({ mode }: MailRow) => (mode === 'test' ? ' (test mode)' : '');

const ofTenant = ({ tenant_id, mode }: MailRow) => [tenant_id, mode];

type Fact = NonNullable<MailContent['facts']>[number];

type WaitingRefund = RequestedRefund & { number: number; created_at: Date };

const refundsWaiting: Says = async ({ sql, publicUrl }, mail, { business, at }) => {
  const rows = await sql.query<WaitingRefund>(
    `select c.number, r.amount_kobo, r.created_at, r.requested_by, r.first_approved_by,
       ${APPROVED_EARLIER} as earlier_kobo
     from refunds r join charges c on c.id = r.charge_id
     where r.tenant_id = $1 and r.mode = $2 and r.status = 'requested'
     order by r.id limit ${MOST_NAMED}`,
    ofTenant(mail),
  );
  const returns = await returnsWaiting(sql, mail);
  if (rows.length + returns.length === 0) return undefined;
  const refundCount = await countOf(sql, `refunds where status = 'requested'`, mail);
  const count = refundCount + returns.length;
  const rules = await findRefundRules(sql, mail.tenant_id);
  const firsts = rows.map((row) => firstApproverOf(rules, row));
  const givers = returns.map(({ first }) => first);
  const nameOf = await actorNames(sql, mail.tenant_id, [...firsts, ...givers]);
  const then = (first: string | null) =>
    first === null ? '' : `; approved by ${nameOf(first)}, waits for a second Owner`;
  const [one, many] =
    returns.length === 0 ? ['refund waits', 'refunds wait'] : ['decision waits', 'decisions wait'];
  return {
    subject: `${waits(count, one!, many!)} for approval at ${business}${inMode(mail)}`,
    paragraphs: ['No money goes back before an Owner approves.'],
    facts: [
      ...returns.slice(0, MOST_NAMED).map(({ id, number, kobo, what, first }): Fact => {
        const amount = kobo === null ? '' : `${formatNaira(kobo)}, `;
        const url = pageIn(mail, publicUrl, `/${what}/${id}`);
        return [referenceOf(number), `${amount}${returnWords[what]}${then(first)}`, url];
      }),
      ...rows.map(
        (row, n): Fact => [
          referenceOf(row.number),
          `${formatNaira(row.amount_kobo)}, requested on ${at(row.created_at)}${then(firsts[n]!)}`,
          pageIn(mail, publicUrl, `/transactions/${referenceOf(row.number)}`),
        ],
      ),
    ],
    link: {
      label: 'Approve or reject',
      url: pageIn(mail, publicUrl, rows.length > 0 ? '/refunds' : `/${returns[0]!.what}`),
    },
    note: 'You get this mail once a day while any waits.',
  };
};

interface WaitingReturn {
  id: string;
  number: number;
  kobo: number | null;
  /** Its page in the dashboard. */
  what: keyof typeof returnWords;
  first: string;
}

const returnWords = { reviews: 'of a review', disputes: 'of a dispute that is accepted' };

/** What an Owner let go back and a second one has not; whoever gave the first word is not told. */
function returnsWaiting(sql: Reading['sql'], mail: MailRow): Promise<WaitingReturn[]> {
  return sql.query(
    `select r.id, c.number, r.amount_kobo as kobo, 'reviews' as what, r.first_approved_by as first
     from reviews r join charges c on c.id = r.charge_id
     where r.tenant_id = $1 and r.mode = $2 and r.status = 'open' and r.first_approved_by <> $3
     union all
     select d.id, c.number, d.amount_kobo, 'disputes', a.requested_by
     from disputes d join dispute_responses a on a.dispute_id = d.id and a.status = 'requested'
       join charges c on c.id = d.charge_id
     where d.tenant_id = $1 and d.mode = $2 and d.status = 'open' and a.requested_by <> $3
     limit ${MOST_COUNTED}`,
    [...ofTenant(mail), mail.member_id],
  );
}

/** Those that are open, where one was opened since this mail was written. */
const discrepanciesOpened: Says = async ({ sql, publicUrl }, mail, { business }) => {
  const rows = await sql.query<{ reference: string | null; detail: string; opened_at: Date }>(
    `select reference, detail, opened_at from discrepancies
     where tenant_id = $1 and mode = $2 and status = 'open' order by id desc limit ${MOST_NAMED}`,
    ofTenant(mail),
  );
  if (!rows.some(({ opened_at }) => opened_at >= mail.created_at)) return undefined;
  const count = await countOf(sql, `discrepancies where status = 'open'`, mail);
  return {
    subject: `${waits(count, 'discrepancy is', 'discrepancies are')} open at ${business}${inMode(mail)}`,
    paragraphs: ['What providers say and what is on record differ. These are the newest:'],
    facts: rows.map(({ reference, detail }) => [reference ?? 'Without a reference', detail]),
    link: { label: 'Look at them', url: pageIn(mail, publicUrl, '/discrepancies') },
    note: 'You get this mail at most once a day, when there are new ones.',
  };
};

async function countOf(sql: Reading['sql'], rows: string, mail: MailRow): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int from (
       select from ${rows} and tenant_id = $1 and mode = $2 limit ${MOST_COUNTED}) counted`,
    ofTenant(mail),
  );
  return row!.count;
}

const endpointDisabled: Says = async ({ sql, publicUrl }, mail, { business, at }) => {
  const [endpoint] = await sql.query<{ url: string; disabled_reason: string; disabled_at: Date }>(
    `select url, disabled_reason, disabled_at from webhook_endpoints
     where id = $1 and status = 'disabled' and deleted_at is null`,
    [mail.subject_id],
  );
  if (!endpoint) return undefined;
  const why =
    endpoint.disabled_reason === 'gone'
      ? 'It answered 410 Gone.'
      : 'Every delivery of the last five days failed.';
  return {
    subject: `A webhook endpoint of ${business} was disabled${inMode(mail)}`,
    paragraphs: [
      `${endpoint.url} gets no more events, since ${at(endpoint.disabled_at)}. ${why}`,
      'Once it works again, enable it: what it missed can be sent then.',
    ],
    link: {
      label: 'Look at the endpoint',
      url: pageIn(mail, publicUrl, `/developers/endpoints/${mail.subject_id}`),
    },
    note: 'You get this mail because you look after webhooks.',
  };
};

export const toMembers = {
  invitation: member(invitation),
  password_link: member(passwordLink),
  password_changed: member(passwordChanged),
  refunds_waiting: member(refundsWaiting, 'decide refunds'),
  discrepancies_opened: member(discrepanciesOpened, 'close discrepancies'),
  endpoint_disabled: member(endpointDisabled, 'develop'),
};
