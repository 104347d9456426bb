import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = '{api,config,domain,scripts,test,workers}/**/';

function filesLinkedIn(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target]) => target!);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

describe('The documents', () => {
  it('link to files that exist', async () => {
    const missing: string[] = [];
    let links = 0;
    for await (const document of glob(['*.md', '.github/*.md', `${FOLDERS}*.md`], { cwd: root })) {
      const path = join(root, document);
      for (const target of filesLinkedIn(await readFile(path, 'utf8'))) {
        links++;
        const found = access(join(dirname(path), target));
        await found.catch(() => missing.push(`${document}: ${target}`));
      }
    }
    expect(links).to.be.greaterThan(50);
    expect(missing).to.deep.equal([]);
  });
});
