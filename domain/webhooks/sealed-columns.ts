import type { SealedColumn } from '../shared/sealed-columns.ts';
import type { OldSecret } from './endpoint/secrets.ts';

const owner = {
  row: 'webhook_endpoints.id',
  tenant: 'webhook_endpoints.tenant_id',
  mode: 'webhook_endpoints.mode',
};

/** Also secrets that were replaced. */
export const webhooksSealed: readonly SealedColumn[] = [
  { table: 'webhook_endpoints', column: 'secret', key: ['id'], owner },
  {
    table: 'webhook_endpoints',
    column: 'old_secrets',
    key: ['id'],
    owner,
    type: 'jsonb',
    replace: (text, seal) => {
      const secrets = JSON.parse(text) as OldSecret[];
      // The same bytes where nothing changes: then nothing is written.
      const replaced = secrets.map((old) => ({ ...old, secret: seal(old.secret) }));
      return replaced.every(({ secret }, n) => secret === secrets[n]!.secret)
        ? text
        : JSON.stringify(replaced);
    },
  },
];
