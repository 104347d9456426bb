import { expect } from 'chai';
import { isPublicAddress } from '../../../domain/shared/public-hosts.ts';

const notPublic = `
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 169.254.0.1
172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1
239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::ffff:10.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1
2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 febf::1
fec0::1 ff02::1
`;
const isPublic =
  '1.1.1.1 8.8.8.8 41.58.0.1 100.63.255.255 172.15.0.1 172.32.0.1 192.167.0.1 223.255.255.255 2606:4700::1111 2a00:1450:4001::1 2c0f:f248::1';
const words = (text: string) => text.trim().split(/\s+/);

describe('An address on the public internet', () => {
  it('is one that everybody reaches, in either family', () => {
    for (const address of words(isPublic)) expect(isPublicAddress(address), address).to.equal(true);
    const names = ['localhost', 'merchant.example', '', '2130706433', '1.1.1'];
    for (const address of [...words(notPublic), ...names])
      expect(isPublicAddress(address), address).to.equal(false);
  });
});
