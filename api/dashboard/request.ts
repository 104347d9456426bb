import type { Context } from '../../config/context.ts';
import { isAllowed, type MemberRole, type Permission } from '../../domain/accounts/roles.ts';
import type { Session } from '../../domain/accounts/session/session.ts';
import type { Fields, ProblemCode } from '../../domain/shared/problems.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import type { CallRoute } from './call-route.ts';

export type SignedIn = { token: string; session: Session };

export interface DashboardRequest {
  context: Context;
  session: Session;
  mode: Mode;
  now: Date;
  /** As far as `TRUST_PROXY` lets it be believed. */
  address: string;
  /** The path of the view, below `/dashboard`. */
  path: string;
  params: Record<string, string>;
  /** A repeated field has its last value. */
  query: Record<string, string>;
  /** A repeated field has a list of its values. */
  all: Record<string, string | string[]>;
  /** As this member, in the mode the session shows. */
  call: CallRoute;
  /** The routes check it again. */
  may: (permission: Permission) => boolean;
  /** Set when the view is shown again after a refusal. */
  refused: Refused | undefined;
}

export interface Refused {
  form: string;
  values: FormValues;
  code: ProblemCode;
  message: string;
  fields: Fields;
}

/** A field that is ticked several times is a list. */
export type FormValues = Record<string, string | string[]>;

export interface View {
  /** Below `/dashboard`. */
  path: string;
  title: string;
  template: string;
  section: Section;
  permission: Need;
  load: (request: DashboardRequest) => Promise<Shown>;
  forms: readonly Form[];
}

/** `leadTo`: a path of the dashboard to go on to. */
export type Shown = object & { leadTo?: string };

/** Refused, a form is shown again by its view, or by its question. */
export interface Form {
  path: string;
  permission: Need;
  /**
   * What moves money, cuts somebody off or cannot be undone asks first: reading the form's path
   * shows the question. Throws where the answer could only be refused.
   */
  ask?: (request: DashboardRequest) => Promise<Question>;
  /** Asks a member with an authenticator for a code, where none was given lately. */
  asksForCode?: boolean;
  /** Nothing typed into it is kept while its member signs in again. */
  hasSecrets?: true;
  /** Such a form is sent as `multipart/form-data`. */
  file?: string;
  /** By default 1 MB. */
  maxFileBytes?: number;
  submit: (request: DashboardRequest & SubmittedForm) => Promise<Submitted>;
}

/** Opens in a dialog; without scripts, as a page of its own. */
export interface Question {
  title: string;
  /** What it is about: amount, payee. */
  facts?: Record<string, string>;
  /** What follows from `Confirm`. */
  consequence: string;
  fields?: readonly QuestionField[];
  /** Shows a form of another kind; by default `confirm`. */
  template?: string;
}

export interface QuestionField {
  name: string;
  /** Its name in the API, if another. */
  field?: string;
  label: string;
  required?: boolean;
  hint?: string;
  value?: string;
  maxlength?: number;
  inputmode?: 'decimal';
  autocomplete?: string;
  /** Words by value. */
  options?: Record<string, string>;
  /** No other text confirms. */
  mustBe?: string;
}

export type SubmittedForm = { values: FormValues; file: Buffer | undefined };

/** A notice on the view, or on another path; what the view shows once; or the view at once. */
export type Submitted = { notice: Notice; to?: string } | { once: object } | { shown: object };

export const notices = {
  refund_approved: 'The refund is approved. Its status below is kept up to date.',
  refund_first_approved: 'You approved the refund. It waits for a second Owner.',
  refund_rejected: 'The refund is rejected.',
  refund_requested: 'The refund is requested. An Owner decides about it under Refunds.',
  charge_cancelled: 'The charge is cancelled.',
  payer_mailed: 'The mail is on its way to the payer.',
  delivery_resent: 'The event is sent again.',
  member_changed: 'The member is changed.',
  authenticator_removed: 'The authenticator is removed.',
  name_changed: 'Your name is saved.',
  password_changed: 'Your password is changed. All other sessions are ended.',
  session_ended: 'The session is ended.',
  key_changed: 'The key is changed.',
  key_revoked: 'The key is revoked. It is refused from now on.',
  endpoint_changed: 'The endpoint is changed.',
  endpoint_deleted: 'The endpoint is deleted.',
  link_disabled: 'The link is disabled.',
  discrepancy_closed: 'The discrepancy is closed.',
  dispute_first_accepted: 'You accepted the dispute. It waits for a second Owner.',
  dispute_answered: 'The answer is on its way to the provider. Its status is kept up to date.',
  review_accepted: 'The review is accepted.',
  review_first_approved: 'You approved that the money goes back. It waits for a second Owner.',
  review_returned: 'The payment is returned.',
  business_changed: 'The settings are saved.',
  account_codes_changed: 'The codes are saved.',
  logo_changed: 'The logo is saved.',
  logo_removed: 'The logo is removed.',
  provider_connected: 'The provider is connected.',
  provider_changed: 'The connection is changed.',
} as const;

export type Notice = keyof typeof notices;

export const sections = {
  overview: { title: 'Overview', permission: 'read' },
  transactions: { title: 'Transactions', permission: 'read' },
  refunds: { title: 'Refunds', permission: 'read' },
  'payment-links': { title: 'Payment links', permission: 'read' },
  settlements: { title: 'Settlements', permission: 'read' },
  discrepancies: { title: 'Discrepancies', permission: 'read' },
  reviews: { title: 'Reviews', permission: 'read' },
  disputes: { title: 'Disputes', permission: 'read' },
  customers: { title: 'Customers', permission: 'read' },
  balances: { title: 'Balances', permission: 'read' },
  developers: { title: 'Developers', permission: 'develop' },
  providers: { title: 'Providers', permission: 'manage connections' },
  members: { title: 'Members', permission: 'manage members' },
  business: { title: 'Business', permission: 'manage members' },
  'audit-log': { title: 'Audit log', permission: 'read' },
  account: { title: 'Your account', permission: 'any member' },
} as const satisfies Record<string, { title: string; permission: Need }>;

export type Section = keyof typeof sections;

export type Need = Permission | 'any member';

export const mayFor = (role: MemberRole, need: Need): boolean =>
  need === 'any member' || isAllowed(role, need);

export const sectionPath = (section: Section): string =>
  section === 'overview' ? '/' : `/${section}`;

type Given = Pick<View, 'load'> &
  Partial<Pick<View, 'path' | 'title' | 'template'>> & {
    forms?: readonly (Omit<Form, 'permission'> & { permission?: Form['permission'] })[];
  };

/** A view is by default its section's first. Its forms need no more than it does. */
export function view(section: Section, { forms = [], ...given }: Given): View {
  const { title, permission } = sections[section];
  return {
    path: sectionPath(section),
    title,
    template: `${section}/${section}`,
    section,
    permission,
    ...given,
    forms: forms.map((form) => ({ permission, ...form })),
  };
}
