const places = ['Kelmora', 'Ravbrook', 'Fensund', 'Galholm', 'Salwick', 'Roswick', 'Mirvale', 'Thornby', 'Uskport', 'Wendell Bay'];
const people = ['Adele Ulmer', 'Karim Grimaldi', 'Ines Ferrara', 'Quentin Quiroga', 'Anton Horvat', 'Jasper Weber', 'Mona Lindqvist', 'Tariq Osei', 'Petra Novak', 'Ruth Anand'];
const relations = ['birthplace', 'school', 'home town', 'place of burial', 'first office'];

/** How the rollouts of one question end; a question takes as many of them as it has rollouts, beginning at another one each time. */
const endings = ['right', 'wrong', 'half right', 'no answer', 'self-written', 'right after a detour', 'damaged'] as const;

/** Lines of a rollout dump (verl's columns): `each` rollouts of each of `questions` questions, right and wrong, odd and damaged. The same every time. */
export function manyRollouts(questions: number, each: number): string[] {
  return Array.from({ length: questions * each }, (_, i) => {
    const question = Math.floor(i / each);
    const ending = endings[(question * 3 + (i % each) * 2 + 3) % endings.length] ?? 'right';
    return rollout(question, ending);
  });
}

function rollout(question: number, ending: (typeof endings)[number]): string {
  const pick = (list: readonly string[], shift: number): string => list[(question + Math.floor(question / list.length) + shift) % list.length] ?? '';
  const [company, founder, gold, other] = [`Company ${question + 1}`, pick(people, 0), `${pick(places, 3)} ${question + 1}`, pick(places, 5)];
  const relation = pick(relations, 0);
  const turn = (query: string, result: string): string => `<think>I need to find ${query}.</think>\n<search>${query}</search>\n\n<information>Doc 1(Title: "${query}") ${result}</information>\n\n`;
  const hops = turn(`${company}'s founder`, `${company}'s founder is ${founder}.`) + turn(`${founder}'s ${relation}`, `${founder}'s ${relation} is ${gold}.`);
  const answer = (text: string): string => `<think>That is all.</think>\n<answer> ${text} </answer>`;
  const outputs: Readonly<Record<typeof ending, string>> = {
    right: hops + answer(gold),
    wrong: turn(`${company}'s founder`, `${company}'s year is 1878.`) + answer(other),
    'half right': hops + answer(gold.split(' ')[0] ?? gold),
    'no answer': `${hops}<think>I still need to`,
    'self-written': `${turn(`${company}'s founder`, `${company}'s founder is ${founder}.`)}<think>I know the rest.</think>\n<information>Doc 1 ${founder}'s ${relation} is ${other}.</information>\n${answer(other)}`,
    'right after a detour': turn(`${company}`, `${company} makes glass.`) + hops + turn(`${gold}`, `${gold} is a town.`) + answer(gold),
    damaged: hops,
  };
  const row = {
    input: `user\nAnswer the question.\nQuestion: What is the ${relation} of ${company}'s founder?\nassistant\n`,
    output: outputs[ending],
    gts: { target: [gold] },
    score: ending.startsWith('right') ? 1 : 0,
    step: 1,
    uid: `q${question}`,
  };
  const line = JSON.stringify(row);
  return ending === 'damaged' ? line.slice(0, 80) : line;
}
