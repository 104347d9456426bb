import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that arrived. */
export interface ReceivedMail {
  /** Counted from 1. */
  number: number;
  /** Message-ID. */
  id: string;
  from: string;
  reply_to: string | null;
  to: string;
  subject: string;
  html: string;
  text: string;
  received_at: string;
}

export interface Mailbox extends AsyncDisposable {
  /** `smtp://…`. */
  url: string;
  /** The newest, oldest first. */
  mails: ReceivedMail[];
  /** A page of all mails, or of one; undefined: there is no such page. */
  page(path: string): string | undefined;
}

/** A local stack may run for days. */
const MOST_KEPT = 500;

const views = new Eta({ views: fileURLToPath(new URL('.', import.meta.url)), cache: true });

/** An SMTP server that takes every mail, keeps the last ones in memory, and shows them as pages. */
export async function startMailbox(
  port: number,
  options: SMTPServerOptions = {},
): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  let count = 0;
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    async onData(stream, { envelope: { rcptTo } }, done) {
      const parsed = await PostalMime.parse(Buffer.concat(await Array.fromAsync(stream)));
      const { messageId = '', from, replyTo, subject = '', html = '', text = '' } = parsed;
      const addresses = {
        from: `${from?.name} <${from?.address}>`,
        reply_to: replyTo?.[0]?.address ?? null,
        to: rcptTo[0]!.address,
      };
      const content = { id: messageId, subject, html, text };
      const received_at = new Date().toISOString();
      mails.push({ number: ++count, ...addresses, ...content, received_at });
      if (mails.length > MOST_KEPT) mails.shift();
      done();
    },
    ...options,
  });
  smtp.on('error', () => {}); // a client that breaks off; a port that is taken is said below
  const listening = smtp.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  const { port: opened } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${opened}`,
    mails,
    page(path) {
      if (path === '') return views.render('./mailbox.eta', { mails: mails.toReversed() });
      const mail = mails.find(({ number }) => `/${number}` === path);
      return mail && views.render('./mail.eta', mail);
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
}
