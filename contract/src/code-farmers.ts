import { z } from 'zod';
import { done, id, listInput, optionalWebAddress, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG } from './enums.ts';
import { userCard } from './users.ts';

/** A value of the dictionary `skill`; `core/sys/dict/item/?code=skill` returns the labels. */
const skill = z.string().trim().min(1).max(30).meta({ title: '技能' });

const fields = z.object({
  skills: z.array(skill).min(1, '请至少选一项技能').max(10, '最多 10 项技能').meta({ title: '技能' }),
  years: z.int().min(0).max(60).meta({ title: '年限', description: '写了几年代码' }),
  city: z.string().trim().max(30).meta({ title: '城市' }),
  homepage: optionalWebAddress(200).meta({ title: '主页' }),
  openToWork: z.boolean().meta({ title: '看机会' }),
  intro: z.string().trim().max(200).meta({ title: '一句话介绍' }),
});

export const farmer = fields.extend({
  user: userCard,
  skillNames: z.array(z.string()).meta({ description: '技能的名称，与 skills 同序' }),
  updatedAt: time,
});
export type Farmer = z.output<typeof farmer>;

export const listFarmers = defineCall({
  method: 'GET',
  path: 'core/code/farmer/',
  summary: '码农名录，新近更新的在前；按技能、城市、关键词（昵称、介绍）筛选',
  access: 'anyone',
  input: listInput.extend({
    skill: skill.optional(),
    city: z.string().trim().max(30).optional().meta({ title: '城市' }),
    keyword: z.string().trim().max(50).optional().meta({ title: '关键词' }),
    openToWork: z.literal(FLAG.on).optional().meta({ title: '看机会的' }),
  }),
  output: pageOf(farmer),
});

export const getFarmer = defineCall({
  method: 'GET',
  path: 'core/code/farmer/card',
  summary: '某人（默认自己）的码农名片；没有时为空',
  access: 'anyone',
  input: z.object({ userId: id.optional().meta({ title: '用户' }) }),
  output: farmer.nullable(),
});

export const updateFarmer = defineCall({
  method: 'PUT',
  path: 'core/code/farmer/',
  summary: '填写或修改自己的名片，从此列在名录里',
  access: 'user',
  input: fields.partial(),
  output: farmer,
  errors: ['WORDS_REFUSED'],
});

export const removeFarmer = defineCall({
  method: 'DELETE',
  path: 'core/code/farmer/',
  summary: '撤下自己的名片',
  access: 'user',
  input: z.object({}),
  output: done,
});

export const calls = [listFarmers, getFarmer, updateFarmer, removeFarmer] as const;
