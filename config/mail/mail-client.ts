import { createTransport } from 'nodemailer';
import type { MailContent } from '../../domain/mail/content.ts';
import type { Sending } from '../../domain/mail/decide-sending.ts';
import { isLocalHost } from '../../domain/shared/hosts.ts';
import { renderMail } from './render-mail.ts';

/** The mail server, and who its mails are from. */
export interface MailSettings {
  url: string;
  from: { name: string; address: string };
}

export interface MailClient {
  /**
   * Hands a mail to the server. Every failure is in the result, which names no address. A mail that
   * is sent again under its `id` has the same Message-ID, by which mailboxes know it: after a
   * connection that broke off nobody can say whether the server had it.
   */
  send(id: string, content: MailContent): Promise<Sending>;
}

/** No try takes longer than `timeoutMs`. A server elsewhere must encrypt. */
export function createMailClient({ url, from }: MailSettings, timeoutMs: number): MailClient {
  const { hostname } = new URL(url);
  const transport = createTransport({
    url,
    requireTLS: !isLocalHost(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.split('@')[1];
  return {
    async send(id, content) {
      const sender = { ...from, ...(content.from && { name: content.from.name }) };
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from: sender,
          to: { name: '', address: content.to },
          ...(content.from?.email && { replyTo: { name: '', address: content.from.email } }),
          subject: content.subject,
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...renderMail(content),
          signal: AbortSignal.timeout(timeoutMs),
        });
        return { outcome: 'sent', reason: null };
      } catch (error) {
        return failureOf(error as SmtpError, timeoutMs);
      }
    },
  };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
  /** The server's words. */
  response?: string;
}

/** Of all refusals, only these are about one mail: of its recipient, or of what it says. */
const aboutOneMail = ['RCPT TO', 'DATA'];

/**
 * Enhanced status codes (RFC 3463) of the server, the network or a policy, as of a relay that is
 * denied or a quota that is used up: these refuse every mail until an operator mends it.
 */
const aboutEveryMail = /^5\d\d[ -]5\.[347]\./;

/** Servers repeat the address in their answers, so only their codes are told. */
function failureOf(error: SmtpError, timeoutMs: number): Sending {
  const { code, command, responseCode, response = '' } = error;
  const isRefused =
    responseCode !== undefined &&
    responseCode >= 500 &&
    aboutOneMail.includes(command!) &&
    !aboutEveryMail.test(response);
  const isImpossible = code === 'EENVELOPE' && command === 'API';
  const reason = responseCode
    ? `the mail server answered ${command} with ${responseCode}`
    : code === 'EABORT'
      ? `the mail server took longer than ${timeoutMs / 1_000} s`
      : `the mail server could not be used: ${code}`;
  return { outcome: isRefused || isImpossible ? 'refused' : 'failed', reason };
}
