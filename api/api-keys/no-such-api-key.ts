import { Problem } from '../../domain/shared/problems.ts';

export function noSuchApiKey(): Problem {
  return new Problem('not_found', 'There is no API key with this id in this mode.');
}
