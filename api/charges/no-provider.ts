import { Problem } from '../../domain/shared/problems.ts';

/** The refusal of whoever wants to collect where nothing is connected that could. */
export function noProvider(provider: string, mode: string): Problem {
  const [wanted, it] =
    provider === 'auto' ? ['No payment provider is', 'one'] : [`${provider} is not`, 'it'];
  const instead = provider === 'auto' ? '' : ', or leave provider out';
  return new Problem(
    'no_provider',
    `${wanted} connected in ${mode} mode. Connect ${it} in the dashboard under Settings, Providers${instead}.`,
  );
}
