import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { Identity } from '@mozhan/contract/users.ts';
import type { PortraitName } from './portraits.ts';

export interface UserProfile {
  account: string;
  displayName: string;
  curIdentity: Identity;
  title: string;
  bio: string;
  gender: 'male' | 'female';
  city: string;
  company: string;
  position: string;
  region: string;
}

export const mainUsers: (UserProfile & { account: PortraitName })[] = [
  {
    account: 'linyan',
    displayName: '林砚',
    curIdentity: IDENTITY.writer,
    title: '数据库与存储',
    bio: '写了十年存储引擎，相信大多数性能问题，其实都是没有把数据摆对地方。',
    gender: 'male',
    city: '杭州',
    company: '青石数据',
    position: '首席工程师',
    region: '浙江',
  },
  {
    account: 'zhoumu',
    displayName: '周牧',
    curIdentity: IDENTITY.writer,
    title: '系统与运维',
    bio: '半夜被叫醒过很多次，后来学会了让系统自己睡好觉。写故障，也写故障之后的安静。',
    gender: 'male',
    city: '成都',
    company: '',
    position: '独立顾问',
    region: '四川',
  },
  {
    account: 'suhe',
    displayName: '苏禾',
    curIdentity: IDENTITY.writer,
    title: '前端与排版',
    bio: '关心浏览器怎样画出一个字。做过编辑器，知道光标闪动的地方住着多少边界情况。',
    gender: 'female',
    city: '上海',
    company: '纸间',
    position: '前端工程师',
    region: '上海',
  },
  {
    account: 'chenduo',
    displayName: '陈铎',
    curIdentity: IDENTITY.writer,
    title: '语言与编译器',
    bio: '喜欢小语言和短函数。周末写编译器，工作日向编译器道歉。',
    gender: 'male',
    city: '深圳',
    company: '',
    position: '编译器工程师',
    region: '广东',
  },
  {
    account: 'guwei',
    displayName: '顾薇',
    curIdentity: IDENTITY.reader,
    title: '',
    bio: '产品经理，偶尔写脚本。读得多，写得少，认真留言。',
    gender: 'female',
    city: '北京',
    company: '听涛科技',
    position: '产品经理',
    region: '北京',
  },
  {
    account: 'heqing',
    displayName: '何青',
    curIdentity: IDENTITY.reader,
    title: '',
    bio: '教了二十多年程序设计，收藏夹比讲义还厚。',
    gender: 'female',
    city: '武汉',
    company: '江城大学',
    position: '教师',
    region: '湖北',
  },
];
