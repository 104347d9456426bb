import type { VisitedLink } from '../../domain/payments/payment-link/find.ts';
import { linkStatusAt } from '../../domain/payments/payment-link/transitions.ts';
import { formatNaira } from '../../domain/shared/money.ts';
import type { FormErrors, Typed } from './link-form.ts';

/** What a link's page shows: the form while it takes money, else why it does not. */
export type LinkState = 'form' | 'paid' | 'expired' | 'disabled' | 'unconnected';

export function linkState(link: VisitedLink, now: Date): LinkState {
  const status = linkStatusAt(link, now);
  if (status !== 'active') return status;
  return link.is_connected || link.open_charge_id !== null ? 'form' : 'unconnected';
}

interface Ended {
  /** A paid link is a page like any other, whoever comes back to it; an ended one is gone. What a merchant has to put right is no fault of ours. */
  status: 200 | 409 | 410;
  title: string;
  message: string;
  tone: 'good' | 'bad';
}

const ended: Record<Exclude<LinkState, 'form'>, Ended> = {
  paid: {
    status: 200,
    title: 'This has been paid',
    message: 'The merchant has the payment. There is nothing more to pay.',
    tone: 'good',
  },
  expired: {
    status: 410,
    title: 'This payment link has expired',
    message: 'It was not paid in time. Ask the merchant for a new one.',
    tone: 'bad',
  },
  disabled: {
    status: 410,
    title: 'This payment link is no longer in use',
    message: 'The merchant has closed it. If you still want to pay, ask the merchant.',
    tone: 'bad',
  },
  unconnected: {
    status: 409,
    title: 'The merchant cannot take payments at the moment',
    message: 'Nothing was charged. Ask the merchant, or try again later.',
    tone: 'bad',
  },
};

export interface LinkPageInput {
  link: VisitedLink;
  state: LinkState;
  typed: Typed;
  errors: FormErrors;
  /** Address of the style sheet. */
  assets: string;
}

/** Everything the template shows, and the status it is sent with. */
export function linkPage({ link, state, typed, errors, assets }: LinkPageInput) {
  const isWrong = Object.keys(errors).length > 0;
  const outcome = state === 'form' ? undefined : ended[state];
  return {
    status: outcome?.status ?? (isWrong ? 422 : 200),
    title: outcome?.title ?? `${isWrong ? 'Please check: ' : ''}Pay ${link.merchant}`,
    outcome,
    mode: link.mode,
    merchant: link.merchant,
    amount: formatNaira(link.amount_kobo),
    description: link.description,
    fields: fieldsOf(link, typed, errors),
    assets,
  };
}

/** What is missing: the e-mail address always, the name where the link knows none. The cursor waits in the first that needs it. */
function fieldsOf(link: VisitedLink, typed: Typed, errors: FormErrors) {
  const email = {
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'email',
    maxLength: 254,
    required: true,
  };
  const name = {
    name: 'name',
    label: 'Your name',
    type: 'text',
    autocomplete: 'name',
    maxLength: 100,
    required: false,
  };
  const asked = link.customer_name === null ? [email, name] : [email];
  const first = asked.find((field) => errors[field.name as keyof Typed] !== undefined);
  return asked.map((field) => ({
    ...field,
    value: typed[field.name as keyof Typed],
    error: errors[field.name as keyof Typed],
    focus: field === first,
  }));
}
