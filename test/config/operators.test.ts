import { expect } from 'chai';
import { operatorsIn } from '../../config/operator-lines.ts';
import { createOperators } from '../../config/operators.ts';
import { hashesOf, hashPassword } from '../../domain/accounts/token/credentials.ts';

const cheap = { memory: 64, passes: 1, parallelism: 1 };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('Operators', () => {
  let lines: string;
  before(async () => {
    const [ada, bisi] = await Promise.all(
      ['a:da', 'bisi'].map((text) => hashPassword(text, cheap)),
    );
    lines = `# who is on call\nada:${ada}\r\n\nbisi@ops.example:${bisi}\n`;
  });

  /** With how often a password was hashed. */
  function open() {
    const hashed: string[] = [];
    const matching: typeof hashesOf = (password, hashes) => {
      hashed.push(password);
      return hashesOf(password, hashes);
    };
    const operator = { user: 'operator', password: 'alone' };
    const operators = createOperators({ operators: operatorsIn(lines), operator }, matching);
    return { hashed, nameFrom: (text: string) => operators.nameFrom(basic(text)) };
  }

  it('are known by their names and passwords, and OPERATOR_USER is none of them', async () => {
    const { nameFrom } = open();
    const given = ['ada:a:da', 'bisi@ops.example:bisi', 'ada:bisi', 'bisi:bisi', 'operator:alone'];
    expect(await Promise.all(given.map(nameFrom))).to.deep.equal([
      'ada',
      'bisi@ops.example',
      ...[undefined, undefined, undefined],
    ]);
  });

  it('are remembered, so that few requests cost a hash; nobody else is', async () => {
    const { hashed, nameFrom } = open();
    await Promise.all([nameFrom('ada:a:da'), nameFrom('ada:a:da')]);
    expect(await nameFrom('ada:a:da')).to.equal('ada');
    expect(hashed).to.deep.equal(['a:da']);
    for (const _ of ['once', 'twice']) expect(await nameFrom('ada:no')).to.equal(undefined);
    expect(hashed).to.deep.equal(['a:da', 'no', 'no']);
  });

  it('are one, by OPERATOR_USER and OPERATOR_PASSWORD, where there are no lines', async () => {
    const operator = { user: 'eze', password: 'x' };
    const { nameFrom } = createOperators({ operators: operatorsIn('# nobody\n'), operator });
    expect(await nameFrom(basic('eze:x'))).to.equal('eze');
    expect(await nameFrom(basic('ada:a:da'))).to.equal(undefined);
    const closed = createOperators({ operators: null, operator: null });
    expect(await closed.nameFrom(basic(':'))).to.equal(undefined);
  });
});
