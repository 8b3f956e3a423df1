import { queriesOf } from '@mozhan/client/query-filter.ts';
import type { StoredUser } from '@mozhan/client/session.ts';
import { isWebAddress } from '@mozhan/client/web-address.ts';
import type { Farmer } from '@mozhan/contract/code-farmers.ts';
import { completeAddress, WEB_ADDRESS_NEEDED } from '@mozhan/contract/web-address.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { type FieldErrors, useForm, type Values } from '#web/lib/form.ts';
import { useRouter } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, FieldPair, SwitchField, TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useUnsaved } from '#web/ui/use-unsaved.ts';
import { WebAddressField } from '#web/ui/web-address-field.tsx';
import styles from './card-editor.module.css';
import { ownFarmerQuery } from './farmer-query.ts';
import { FarmerSheet } from './farmer-sheet.tsx';
import { SkillsField, useSkills } from './skills-field.tsx';

const names = ['skills', 'years', 'city', 'homepage', 'openToWork', 'intro'] as const;
type Name = (typeof names)[number];

const YEARS = /^\d{1,2}$/;
const LONGEST = 60;

const toFields = (values: Values<Name>) => ({
  years: Number(values.years),
  city: values.city.trim(),
  homepage: completeAddress(values.homepage),
  openToWork: values.openToWork !== '',
  intro: values.intro.trim(),
});

function check({ years, homepage }: Values<Name>, skills: readonly string[]): FieldErrors<Name> {
  const isYears = YEARS.test(years.trim()) && Number(years) <= LONGEST;
  const isPage = homepage.trim() === '' || isWebAddress(completeAddress(homepage));
  return {
    ...(skills.length === 0 && { skills: '请至少选一项技能' }),
    ...(!isYears && { years: `请填 0 到 ${LONGEST} 的整数` }),
    ...(!isPage && { homepage: WEB_ADDRESS_NEEDED }),
  };
}

const blank = { skills: [], years: 0, city: '', homepage: '', openToWork: false, intro: '' };

interface CardFormProps {
  user: StoredUser;
  /** Null: there is no card yet. */
  farmer: Farmer | null;
  onDone: () => void;
}

/** The reader's own card, with how others will see it. */
export function CardForm({ user, farmer, onDone }: CardFormProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { nameOf } = useSkills();
  const given = farmer ?? blank;
  const [skills, setSkills] = useState<readonly string[]>(given.skills);
  const [typed, setTyped] = useState({
    years: given.years,
    city: given.city,
    homepage: given.homepage,
    openToWork: given.openToWork,
    intro: given.intro,
  });

  const isChanged =
    String(skills) !== String(given.skills) ||
    (Object.keys(typed) as (keyof typeof typed)[]).some((name) => typed[name] !== given[name]);
  useUnsaved(isChanged, useRouter());

  const { busy, errors, problem, field, props } = useForm({
    names,
    initial: { city: given.city, homepage: given.homepage, intro: given.intro },
    check: (values) => check(values, skills),
    async submit(values) {
      const saved = await api('PUT core/code/farmer/', { ...toFields(values), skills: [...skills] });
      queryClient.setQueryData(ownFarmerQuery(api).queryKey, saved);
      void queryClient.invalidateQueries(queriesOf('GET core/code/farmer/'));
      toast('名片已保存');
      onDone();
    },
  });

  function onInput(event: FormEvent<HTMLFormElement>): void {
    props.onInput(event);
    const data = new FormData(event.currentTarget);
    const values = Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')]));
    setTyped(toFields(values as Values<Name>));
  }

  const card = {
    ...typed,
    years: Number.isInteger(typed.years) ? typed.years : 0,
    skills: [...skills],
    skillNames: skills.map(nameOf),
    user: { ...user, isMember: false, title: '' },
  };

  return (
    <div className={styles.columns}>
      <form className={styles.form} {...props} onInput={onInput}>
        <SkillsField chosen={skills} error={errors.skills} onChange={setSkills} />
        <FieldPair>
          <Field
            {...field('years')}
            label="写了几年代码"
            inputMode="numeric"
            autoComplete="off"
            maxLength={2}
            defaultValue={farmer === null ? '' : given.years}
          />
          <Field {...field('city')} label="城市" autoComplete="address-level2" maxLength={30} />
        </FieldPair>
        <WebAddressField {...field('homepage')} label="主页" />
        <TextArea
          {...field('intro')}
          label="一句话介绍"
          placeholder="在做什么，想找什么样的人聊"
          maxLength={200}
        />
        <SwitchField
          name="openToWork"
          label="在看机会"
          description="名片上会标出来，别人可以只看在看机会的人。"
          defaultChecked={given.openToWork}
        />
        {problem ? <Notice tone="bad">{problem}</Notice> : null}
        <div className={styles.foot}>
          <Button type="submit" look="primary" busy={busy}>
            {busy ? '正在保存…' : farmer === null ? '发布名片' : '保存'}
          </Button>
          <Button look="ghost" onClick={onDone}>
            取消
          </Button>
        </div>
      </form>
      <section className={styles.preview} aria-labelledby="preview">
        <h3 id="preview">别人会看到</h3>
        <div className={styles.card}>
          <FarmerSheet farmer={card} level="h4" />
        </div>
      </section>
    </div>
  );
}
