import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose answer depends on the colours; the others say the same in both themes. */
export const colourRules = ['color-contrast', 'link-in-text-block'] as const;

export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Loading the style sheets once more costs more than the rest, and one rule alone needs it.
  const options = {
    preload: false,
    resultTypes: ['violations'],
    ...(rules ? { runOnly: [...rules] } : {}),
  };
  if (!(await page.evaluate('"axe" in window'))) {
    await page.addInitScript(axe); // for the views that follow: half as dear as sending it again
    await page.evaluate(axe);
  }
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary).join(' | ')))`,
  );
}

export async function receivedBy(page: Page): Promise<() => number> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  let bytes = 0;
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return () => bytes;
}
