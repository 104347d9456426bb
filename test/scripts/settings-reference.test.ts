import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { baseUrlSettings, settings } from '../../config/settings.ts';
import { settingsPage, settingsReference } from '../../scripts/settings-reference.ts';

describe('The reference of settings', () => {
  it('has a row for each setting, and says which are required', () => {
    const rows = settingsReference().split('\n');
    for (const name of Object.keys({ ...settings, ...baseUrlSettings }))
      expect(rows.filter((row) => row.startsWith(`| \`${name}\` |`)).length, name).to.equal(1);
    expect(rows.filter((row) => row.includes('**required**'))).to.have.length(2);
  });

  it('shows the schema as it is: run `npm run settings` after changing it', async () => {
    const page = new URL(`../../${settingsPage}`, import.meta.url);
    expect(await readFile(page, 'utf8')).to.equal(settingsReference());
  });
});
