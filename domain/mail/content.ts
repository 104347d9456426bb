import type { Sql } from '../shared/sql.ts';
import type { MailRow } from './row.ts';

/** What a mail says, once: its HTML and its text are made of it. */
export interface MailContent {
  to: string;
  /** In mails to payers: the business that they hear from. */
  from?: { name: string; email: string | null };
  subject: string;
  /** Sentences, a paragraph each. */
  paragraphs: readonly string[];
  /** `url`: the page about what the name says. */
  facts?: readonly (readonly [name: string, value: string, url?: string])[];
  link: { label: string; url: string };
  note: string;
}

export interface Reading {
  sql: Sql;
  now: Date;
  /** Without a slash at the end. */
  publicUrl: string;
  /** Opened; '' where the mail has none. */
  token: string;
}

/** Undefined: nobody needs the mail any more, or its reader is gone. */
export type ReadContent = (reading: Reading, mail: MailRow) => Promise<MailContent | undefined>;
