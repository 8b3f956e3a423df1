/** The most common passwords of at least eight characters, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
!qaz2wsx 00000000 000000000 0123456789 110110110 11111111 111111111 1111111111 111222333 11223344
1122334455 112233445566 123123123 123321123 12341234 12344321 12345678 123456789 1234567890
123456789a 123456789q 123456aa 123456abc 123456qq 123qwe123 123qweasd 13145200 1314520520 147258369
147852369 159357456 159753456 19871987 19881988 19891989 19901990 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
1qaz2wsx 1qazxsw2 20202020 20242024 20252025 20262026 22222222 31415926 33333333 44444444 52013145
5201314520 55555555 66666666 741852963 77777777 789456123 87654321 88888888 888888888 8888888888
963852741 987654321 99999999 999999999 a1234567 a12345678 a123456789 a1b2c3d4 a1b2c3d4e5 aa123456
aaaaaaaa abc12345 abc123456 abc123456789 abc123abc abc@1234 abcabcabc abcd1234 abcdefgh admin123
admin1234 admin888 admin@123 administrator alibaba1 asd123456 asdf1234 asdfasdf asdfghjkl baidu123
baseball basketball batman123 changeme changeme1 charlie1 chocolate computer default1 dragon123
facebook football football1 freedom1 google123 guest123 hello123 helloworld iloveyou iloveyou1
internet jennifer killer123 letmein1 li123456 linkedin liverpool login123 master123 michelle
monkey123 mozhan123 nihao123 nihao1234 p@ssw0rd p@ssword pass1234 pass@123 passpass passw0rd
password password1 password123 pokemon1 princess q123456789 q1w2e3r4 qazwsxedc qq123456 qq123456789
qwe123456 qweasdzxc qwer1234 qwerty12 qwerty123 qwerty1234 qwertyui qwertyuiop root1234 root@123
samsung1 secret123 shadow123 starwars sunshine superman taobao123 tencent1 test1234 testtest
trustno1 w123456789 wang123456 wechat123 weixin123 welcome1 whatever woaini1314 woaini520 woaini521
woshishui x123456789 z123456789 zaq12wsx zaq1zaq1 zhang123 zxc123456 zxcvbnm1 zxcvbnm123 zxcvbnmz
`
    .trim()
    .split(/\s+/),
);
