import type { ReadContent } from './mail/content.ts';
import type { MailRow } from './mail/row.ts';
import { toMembers } from './mails-to-members.ts';
import { toPayers } from './mails-to-payers.ts';

const contents: Record<MailRow['kind'], ReadContent> = {
  ...toMembers,
  ...toPayers,
  /** It has others written, and is none itself. */
  forgotten_password: async () => undefined,
};

export const readContent: ReadContent = (reading, mail) => contents[mail.kind](reading, mail);
