import type { VisitedLink } from '../../domain/payments/payment-link/find.ts';
import { linkStatusAt } from '../../domain/payments/payment-link/transitions.ts';
import type { FormErrors, FormValues } from './link-form.ts';
import { summaryOf } from './summary.ts';

export type LinkState = 'form' | 'paid' | 'expired' | 'disabled' | 'unconnected';

export function linkState(link: VisitedLink, now: Date): LinkState {
  const status = linkStatusAt(link, now);
  if (status !== 'active') return status;
  return link.is_connected || link.open_charge_id !== null ? 'form' : 'unconnected';
}

interface Ended {
  /** 409, not a 5xx, where the merchant has connected no provider. */
  status: 200 | 409 | 410;
  title: string;
  message: string;
  tone: 'good' | 'bad';
}

function endedOf(state: Exclude<LinkState, 'form'>, merchant: string): Ended {
  const ended: Record<typeof state, Ended> = {
    paid: {
      status: 200,
      title: 'This has been paid',
      message: `${merchant} has the payment. There is nothing more to pay.`,
      tone: 'good',
    },
    expired: {
      status: 410,
      title: 'This payment link has expired',
      message: `It was not paid in time. Ask ${merchant} for a new one.`,
      tone: 'bad',
    },
    disabled: {
      status: 410,
      title: 'This payment link is no longer in use',
      message: `${merchant} has closed it. If you still want to pay, ask ${merchant}.`,
      tone: 'bad',
    },
    unconnected: {
      status: 409,
      title: 'No payment can be taken at the moment',
      message: `Nothing was charged. Ask ${merchant}, or try again later.`,
      tone: 'bad',
    },
  };
  return ended[state];
}

export interface LinkViewInput {
  link: VisitedLink;
  state: LinkState;
  values: FormValues;
  errors: FormErrors;
  logoUrl: string | null;
  assets: string;
}

export function linkView({ link, state, values, errors, logoUrl, assets }: LinkViewInput) {
  const isWrong = Object.keys(errors).length > 0;
  const outcome = state === 'form' ? undefined : endedOf(state, link.merchant);
  return {
    status: outcome?.status ?? (isWrong ? 422 : 200),
    title: outcome?.title ?? `${isWrong ? 'Please check: ' : ''}Pay ${link.merchant}`,
    outcome,
    ...summaryOf(link, {
      merchant: link.merchant,
      supportEmail: link.support_email,
      supportPhone: link.support_phone,
      logoUrl,
    }),
    fields: fieldsOf(link, values, errors),
    assets,
  };
}

/** Fields that the link lacks, and always the e-mail address. The first error has the focus. */
function fieldsOf(link: VisitedLink, values: FormValues, errors: FormErrors) {
  const asked = [
    email,
    ...(link.customer_name === null ? [name] : []),
    ...(link.customer_phone === null ? [phone] : []),
  ];
  const first = asked.find((field) => errors[field.name] !== undefined);
  return asked.map((field) => ({
    ...field,
    value: values[field.name],
    error: errors[field.name],
    focus: field === first,
  }));
}

interface Field {
  name: keyof FormValues;
  label: string;
  type: string;
  inputmode: string;
  autocomplete: string;
  maxLength: number;
  required: boolean;
}

const email: Field = {
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  inputmode: 'email',
  autocomplete: 'email',
  maxLength: 254,
  required: true,
};

const name: Field = {
  name: 'name',
  label: 'Your name',
  type: 'text',
  inputmode: 'text',
  autocomplete: 'name',
  maxLength: 100,
  required: false,
};

const phone: Field = {
  name: 'phone',
  label: 'Phone number',
  type: 'tel',
  inputmode: 'tel',
  autocomplete: 'tel',
  maxLength: 40,
  required: false,
};
