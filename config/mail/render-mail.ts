import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { MailContent } from '../../domain/mail/content.ts';

const eta = new Eta({ views: fileURLToPath(new URL('.', import.meta.url)), cache: true });

/** The same words twice: for programs that show HTML, and for those that do not. */
export function renderMail(content: MailContent): { html: string; text: string } {
  const { paragraphs, facts = [], link, note } = content;
  const lines = facts.map(([name, value, url]) => `${name}: ${value}${url ? `\n${url}` : ''}`);
  const parts = [...paragraphs, lines.join('\n'), `${link.label}:\n${link.url}`, note];
  return {
    html: eta.render('./mail.eta', content),
    text: `${parts.filter((part) => part !== '').join('\n\n')}\n`,
  };
}
