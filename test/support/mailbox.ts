import type { SMTPServerOptions } from 'smtp-server';
import { createMailClient, type MailSettings } from '../../config/mail/mail-client.ts';
import { type Mailbox, startMailbox } from '../../scripts/local/mailbox.ts';
import type { Stack } from './stack.ts';

/** The `env` of a stack that sends mail; `useMailbox` says where to. */
export const mailSettings: MailSettings = {
  url: 'smtp://127.0.0.1:1',
  from: { name: 'Payments', address: 'payments@service.example' },
};

/** A mail server of its own for the tests of a `describe`, emptied before each. */
export function useMailbox(stack: Stack, options?: SMTPServerOptions): Mailbox {
  const mailbox = {} as Mailbox;
  before(async () => {
    Object.assign(mailbox, await startMailbox(0, options));
    stack.context.mail = mailClientOf(mailbox);
  });
  beforeEach(() => void mailbox.mails.splice(0));
  after(() => mailbox[Symbol.asyncDispose]?.());
  return mailbox;
}

export const mailClientOf = ({ url }: Pick<Mailbox, 'url'>, timeoutMs = 10_000) =>
  createMailClient({ ...mailSettings, url }, timeoutMs);
