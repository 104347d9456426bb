import type { Command } from 'commander';
import { SetupError } from '../../config/setup-error.ts';
import { type CreatedTenant, createTenant } from '../../domain/accounts/tenant/create-tenant.ts';
import { openTerminalContext, type Terminal } from '../command-line.ts';
import { addSandboxConnections, registerSandboxAccounts } from '../sandbox-tenant.ts';

type CreateOptions = { name: string; email: string; sandbox?: boolean; json?: boolean };

/** `npm run tenant`. */
export function tenant(root: Command, terminal: Terminal): void {
  root.name('tenant').description('Manages tenants: the businesses that collect payments.');
  root
    .command('create')
    .description('Creates a tenant with its Owner and its keys. Every secret is shown once.')
    .requiredOption('--name <name>', 'the business, as payers see it')
    .requiredOption('--email <email>', "the Owner's e-mail address")
    .option('--sandbox', 'connect it to the provider sandbox in test mode')
    .option('--json', 'print one JSON object and nothing else')
    .action((options: CreateOptions) => create(terminal, options));
}

async function create(terminal: Terminal, { name, email, sandbox, json }: CreateOptions) {
  if (name.trim() === '' || name.length > 100)
    throw new SetupError('--name must be 1 to 100 characters.');
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)
    throw new SetupError('--email must be an e-mail address.');
  await using context = await openTerminalContext(terminal);
  if (sandbox && context.env.sandboxUrl === null)
    throw new SetupError('--sandbox needs SANDBOX_URL, the address of the sandbox.');
  const created = await context.inTx(async (tx) => {
    const tenant = await createTenant(tx, { name: name.trim(), ownerEmail: email });
    if (sandbox) addSandboxConnections(tx, context, tenant.tenant_id);
    return tenant;
  });
  if (sandbox) await registerSandboxAccounts(context, created.tenant_id);
  terminal.stdout.write(json ? `${JSON.stringify(created)}\n` : describe(created));
}

function describe({ owner, ...keys }: CreatedTenant): string {
  const shown = { ...keys, owner_email: owner.email, owner_password: owner.password };
  const lines = Object.entries(shown).map(([name, value]) => `  ${name.padEnd(18)} ${value}`);
  return `Shown once, kept nowhere:\n${lines.join('\n')}\n`;
}
