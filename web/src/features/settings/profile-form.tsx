import type { CurrentUser } from '@mozhan/contract/users.ts';
import { type FormEvent, useState } from 'react';
import { useSaveMe } from '#web/features/account/me.ts';
import { type FormValues, requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { useRouter } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup, Field, FieldPair, TextArea } from '#web/ui/field.tsx';
import { GeneratedAvatar } from '#web/ui/generated-avatar.tsx';
import { ImageUpload } from '#web/ui/image-upload.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useUnsavedWarning } from '#web/ui/use-unsaved-warning.ts';
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

const trimValues = (values: FormValues<Name>) =>
  Object.fromEntries(names.map((name) => [name, values[name].trim()])) as FormValues<Name>;

/** The picture is compared separately, as it is not a text field. */
function hasTextChanges(form: HTMLFormElement | null, me: CurrentUser): boolean {
  const data = new FormData(form ?? undefined);
  return names.some((name) => name !== 'headImg' && String(data.get(name) ?? '').trim() !== me[name]);
}

export function ProfileForm({ me }: { me: CurrentUser }) {
  const save = useSaveMe();
  const [headImg, setHeadImg] = useState(me.headImg);
  const [isTextChanged, setTextChanged] = useState(false);
  const unsaved = isTextChanged || headImg !== me.headImg;
  useUnsavedWarning(unsaved, useRouter());

  const { busy, errors, formError, field, props } = useForm({
    names,
    initial: me,
    check: (values) => requiredFieldErrors(values, { displayName: '请填写昵称' }),
    async submit(values) {
      const { gender, ...rest } = trimValues(values);
      const saved = await save({ ...rest, gender: gender as CurrentUser['gender'] });
      setTextChanged(hasTextChanges(props.ref.current, saved));
      toast('已保存');
    },
  });

  function onInput(event: FormEvent<HTMLFormElement>): void {
    props.onInput(event);
    setTextChanged(hasTextChanges(event.currentTarget, me));
  }

  return (
    <form className={styles.form} {...props} onInput={onInput}>
      <div>
        <ImageUpload
          label="头像"
          round
          placeholder={<GeneratedAvatar seed={me.displayName} />}
          value={headImg}
          onChange={setHeadImg}
          crop={[{ label: '1:1', aspect: 1 }]}
          hint="jpg、png、webp 或 gif。不传也没关系，会按昵称画一张。"
        />
        <input type="hidden" name="headImg" value={headImg} />
        {errors.headImg ? <Alert tone="bad">{errors.headImg}</Alert> : null}
      </div>
      <Field {...field('displayName')} label="昵称" autoComplete="nickname" maxLength={30} />
      <TextArea
        {...field('bio')}
        label="简介"
        placeholder="一两句话，说说你在做什么、关心什么"
        maxLength={200}
      />
      <ChoiceGroup name="gender" legend="性别" options={genders} defaultValue={me.gender} />
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
      {formError ? <Alert tone="bad">{formError}</Alert> : null}
      <div className={`row wraps ${styles.foot}`}>
        <Button type="submit" variant="primary" busy={busy}>
          {busy ? '正在保存…' : '保存'}
        </Button>
        {unsaved ? <span className="ink-3 text-s">有修改还没有保存</span> : null}
      </div>
    </form>
  );
}
