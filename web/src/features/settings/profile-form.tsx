import type { CurrentUser } from '@mozhan/contract/users.ts';
import { type FormEvent, useState } from 'react';
import { useSaveMe } from '#web/features/account/me.ts';
import { missing, useForm, type Values } from '#web/lib/form.ts';
import { useRouter } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Choices, Field, FieldPair, TextArea } from '#web/ui/field.tsx';
import { Hills } from '#web/ui/hills.tsx';
import { ImageUpload } from '#web/ui/image-upload.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useUnsaved } from '#web/ui/use-unsaved.ts';
import { WebAddressField } from '#web/ui/web-address-field.tsx';
import styles from './settings.module.css';

const names = [
  'displayName',
  'headImg',
  'bio',
  'gender',
  'city',
  'company',
  'position',
  'homepage',
  'github',
] as const;
type Name = (typeof names)[number];

const genders: readonly { value: CurrentUser['gender']; label: string }[] = [
  { value: 'unknown', label: '保密' },
  { value: 'male', label: '男' },
  { value: 'female', label: '女' },
];

const trimmed = (values: Values<Name>) =>
  Object.fromEntries(names.map((name) => [name, values[name].trim()])) as Values<Name>;

/** The picture is kept apart: it is no text of the form. */
function isTyped(form: HTMLFormElement | null, me: CurrentUser): boolean {
  const data = new FormData(form ?? undefined);
  return names.some((name) => name !== 'headImg' && String(data.get(name) ?? '').trim() !== me[name]);
}

/** What others see of the reader; saved as a whole. */
export function ProfileForm({ me }: { me: CurrentUser }) {
  const save = useSaveMe();
  const [headImg, setHeadImg] = useState(me.headImg);
  const [typed, setTyped] = useState(false);
  const unsaved = typed || headImg !== me.headImg;
  useUnsaved(unsaved, useRouter());

  const { busy, errors, problem, field, props } = useForm({
    names,
    initial: me,
    check: (values) => missing(values, { displayName: '请填写昵称' }),
    async submit(values) {
      const { gender, ...rest } = trimmed(values);
      const saved = await save({ ...rest, gender: gender as CurrentUser['gender'] });
      setTyped(isTyped(props.ref.current, saved));
      toast('已保存');
    },
  });

  function onInput(event: FormEvent<HTMLFormElement>): void {
    props.onInput(event);
    setTyped(isTyped(event.currentTarget, me));
  }

  return (
    <form className={styles.form} {...props} onInput={onInput}>
      <div>
        <ImageUpload
          label="头像"
          round
          blank={<Hills seed={me.displayName} />}
          value={headImg}
          onChange={setHeadImg}
          hint="jpg、png、webp 或 gif。不传也没关系，会按昵称画一张。"
        />
        <input type="hidden" name="headImg" value={headImg} />
        {errors.headImg ? <Notice tone="bad">{errors.headImg}</Notice> : null}
      </div>
      <Field {...field('displayName')} label="昵称" autoComplete="nickname" maxLength={30} />
      <TextArea
        {...field('bio')}
        label="简介"
        placeholder="一两句话，说说你在做什么、关心什么"
        maxLength={200}
      />
      <Choices name="gender" legend="性别" options={genders} defaultValue={me.gender} />
      <FieldPair>
        <Field {...field('company')} label="公司" autoComplete="organization" maxLength={50} />
        <Field {...field('position')} label="职位" autoComplete="organization-title" maxLength={50} />
        <Field {...field('city')} label="城市" autoComplete="address-level2" maxLength={30} />
        <Field
          {...field('github')}
          label="GitHub"
          placeholder="用户名"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </FieldPair>
      <WebAddressField {...field('homepage')} label="个人网站" />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <div className={`row wraps ${styles.foot}`}>
        <Button type="submit" look="primary" busy={busy}>
          {busy ? '正在保存…' : '保存'}
        </Button>
        {unsaved ? <span className="ink-3 text-s">有修改还没有保存</span> : null}
      </div>
    </form>
  );
}
