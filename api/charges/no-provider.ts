import { Problem } from '../../domain/shared/problems.ts';

export function noProvider(provider: string, mode: string): Problem {
  const [wanted, it] =
    provider === 'auto' ? ['No payment provider is', 'one'] : [`${provider} is not`, 'it'];
  const instead = provider === 'auto' ? '' : ', or leave provider out';
  return new Problem(
    'no_provider',
    `${wanted} connected in ${mode} mode. ` +
      `An Owner connects ${it} with POST /v1/connections${instead}.`,
  );
}
