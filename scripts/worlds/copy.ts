import type { Role } from "../../app/game/roles";

/** The names of the worlds' players, and what they write. Both are in many alphabets, as on a real site. */

/** Game names (Riot allows 3 to 16 characters). Players beyond the end of the list get one of them with a number. */
export const GAME_NAMES = [
  "Sørina Wójcik",
  "Дмитрий Ковалёв",
  "Thunder Kitten 9",
  "ren.aska",
  "Łukasz Żółtowski",
  "Ngọc Huyền",
  "Żaneta Gąsior",
  "ouroboros_kaisa",
  "marta.mid",
  "별하늘",
  "Åse Lindqvist",
  "João Peixoto",
  "Müge Aydın",
  "Čeněk Dvořák",
  "Ελένη Μαρκάκη",
  "Оксана Бойко",
  "さくら荘",
  "小林あかり",
  "김하늘",
  "박준서",
  "Nguyễn Thảo",
  "Zoë van Dijk",
  "Iñaki Etxeberria",
  "Ragnhild",
  "Öykü",
  "Siân Morgan",
  "Bartłomiej",
  "Kęstutis",
  "quiet comet",
  "Papaya Protocol",
  "two smokes deep",
  "lena.lurks",
  "Marble Fox",
  "retake club",
  "Otter Overtime",
  "noor",
  "Vesper",
  "half buy hero",
  "Tofu Tactician",
  "Kaito",
  "Amélie Roux",
  "Guðrún",
  "Pixel Heron",
  "Rafael Quispe",
  "Valentina",
  "Ottoline",
  "Moss and Ember",
  "Sefa",
  "Haruka",
  "Mateus Ribeiro",
  "Ximena",
  "Lofi Larks",
  "Tariq",
  "Biscuit Bandit",
  "Anneliese",
  "Jakub Říha",
  "cold brew carry",
  "Nadia",
  "Olamide",
  "Priya Raman",
] as const;

/** Examples of a profile's `Play Times`. */
export const PLAY_TIMES = [
  "Weekdays 19:00 to 23:00",
  "Mornings before work, weekends all day",
  "Most nights after 21:00",
  "Fri, Sat and Sun, any time",
  "Lunch breaks and late evenings",
  "Tuesdays and Thursdays, 18:00 to 22:00",
] as const;

export const DESCRIPTIONS = [
  "I call early and nobody shouts. Two losses in a row and we take a break.",
  "Back after a year away, aim rusty, head calm. Happy to fill.",
  "Here to improve: I review one round after each game and like to talk about it.",
  "Grown-up with a job, two hours most evenings. Good comms matter more than kills.",
  "Learning the role from scratch. Tell me what I miss, kindly.",
  "I play for the long rounds and the clutch stories afterwards.",
  "Scrims on weekends, ranked on weekdays, no drama ever.",
] as const;

export interface PostText {
  title: string;
  message?: string;
  neededPlayers: number;
  role?: Role;
}

/** The content of posts; each fits any region and rank. */
export const POST_TEXTS: readonly PostText[] = [
  {
    title: "Calm Controller wanted for the evening climb",
    message: "I call early and nobody shouts. Haven and Lotus most nights, and we stop after two losses in a row.",
    neededPlayers: 1,
    role: "Controller",
  },
  {
    title: "Trio for ranked, no pressure on aim",
    message: "I entry, you trade. Warm-up at nine, first game a quarter past.",
    neededPlayers: 2,
  },
  {
    title: "Full five every Thursday: we need an Initiator, a Sentinel and two people who laugh at bad smokes",
    neededPlayers: 4,
  },
  {
    title: "Practice partner for aim duels and retakes",
    message: "Two evenings a week, an hour each, then a game or two to try it out.",
    neededPlayers: 1,
  },
  { title: "Swiftplay four, then we see", message: "Unrated and Swiftplay only, so four is fine.", neededPlayers: 3 },
  { title: "First week of ranked, who wants to learn together?", neededPlayers: 2 },
  {
    title: "Sentinel who likes to hold one site and be left alone there",
    message: "We are four, we rotate early, and we will believe your callouts.",
    neededPlayers: 1,
    role: "Sentinel",
  },
  {
    title: "Need a Duelist who goes first and is not sorry",
    message: "I flash on your count. Sova main, mic on, coffee ready.",
    neededPlayers: 1,
    role: "Duelist",
  },
  { title: "Duo for the last ten points", message: "One good evening and I am there. You too?", neededPlayers: 1 },
  {
    title: "Looking for a fifth who knows Sunset",
    message: "Our fifth moved away. We play Mondays and Wednesdays and write things down.",
    neededPlayers: 1,
  },
  {
    title: "Chill ranked after the kids are asleep",
    message: "Quiet voices, quick games. Sometimes I have to go mid-game and I will say so before.",
    neededPlayers: 2,
  },
  {
    title: "Initiator for a stack with a plan",
    message: "Four set pieces a map, nothing fancy. We want someone who enjoys drones.",
    neededPlayers: 1,
    role: "Initiator",
  },
  {
    title: "Weekend tournament warm-up",
    message: "Best of three against friends on Saturday, a full five so that nobody has to fill.",
    neededPlayers: 3,
  },
  { title: "Two for Ascent and Bind until midnight", neededPlayers: 2 },
  {
    title: "Coming back after two years",
    message: "I know the old maps by heart and none of the new agents. Patient people welcome.",
    neededPlayers: 2,
  },
  {
    title: "Smokes main seeks a pair of fast friends",
    message: "I will have the wall up before you ask. Omen, Astra, some Viper.",
    neededPlayers: 2,
  },
  {
    title: "Женская пятёрка, ищем стража",
    message: "Играем по вечерам, общаемся спокойно, разбираем раунды после матча.",
    neededPlayers: 1,
    role: "Sentinel",
  },
  {
    title: "저녁에 같이 하실 두 분 구해요",
    message: "마이크 편하게 쓰고, 두 판 지면 쉬었다 갑니다.",
    neededPlayers: 2,
  },
  {
    title: "Cả nhóm thiếu một người, tối nay 20:00",
    message: "Chơi vui là chính, thắng càng tốt. Có mic thì hay hơn.",
    neededPlayers: 1,
  },
  {
    title: "Dupla tranquila para subir no fim de semana",
    message: "Jogo de Sage ou Cypher, falo pouco e ouço bem.",
    neededPlayers: 1,
    role: "Duelist",
  },
  {
    title: "Szukamy trzech do pełnej piątki",
    message: "Gramy od 20:00, bez krzyków. Źle idzie? Robimy herbatę i wracamy.",
    neededPlayers: 3,
  },
  {
    title: "Dos para rankeds sin prisa",
    message: "Entramos juntos, hablamos claro y revisamos la última ronda si hay ganas.",
    neededPlayers: 2,
  },
  { title: "Full stack tonight, five games whatever happens", neededPlayers: 4 },
  {
    title: "Coach-minded player looks for the same",
    message: "We record, we watch one half together, we change one thing. That is all.",
    neededPlayers: 1,
  },
  {
    title: "Anyone up for knife-only warm-up, then ranked?",
    message: "It is silly for ten minutes and serious after that.",
    neededPlayers: 3,
  },
  {
    title: "Late shift: games from 23:00 on",
    message: "Nurses, bakers, students before exams: the late queue is ours.",
    neededPlayers: 2,
  },
];

/**
 * Conversations: the speaker of each line, and its text. Speaker 0 wrote first, to speaker 1, the author of a post.
 * That first message is the greeting of the contact dialog; it comes before these lines and isn't among them.
 */
export const DIALOGUES: readonly (readonly (readonly [0 | 1, string])[])[] = [
  [
    [0, "Omen main, Platinum 2. Free until 23:00 CET."],
    [1, "Hey! Yes, still open."],
    [1, "I usually play Sova or Fade and take the early calls, you’d have the late round."],
    [1, "Two games tonight, starting at 20:30?"],
    [0, "I’m in. Omen or Clove, your call."],
  ],
  [
    [1, "Sure, which server do you play on?"],
    [0, "Frankfurt, 18 ms. Warsaw is fine too."],
    [1, "Warm-up at nine, first game a quarter past."],
  ],
  [
    [1, "Привет! Да, место есть."],
    [0, "Отлично, буду в восемь."],
    [1, "Возьмёшь смоки?"],
  ],
  [
    [1, "We have a fifth for tonight, sorry. Thursday?"],
    [0, "Thursday works. I bring the bad smokes."],
    [1, "Haha the bad smokes were art"],
  ],
  [
    [1, "Thanks, maybe next act"],
    [0, "No worries, good luck with the climb!"],
  ],
  [
    [1, "What do you play when your main is banned in scrims?"],
    [0, "Cypher, then Killjoy. My setup, if you want it: https://example.com/crosshairs?main=cypher"],
    [1, "Nice, I had been looking for one of those."],
    [0, "See you on the server"],
  ],
  [
    [1, "안녕하세요! 오늘 저녁 괜찮으세요?"],
    [0, "네, 아홉 시에 들어갈게요."],
  ],
];

/** Short lines for a conversation of several weeks. */
export const SMALL_TALK = [
  "gg, that last round was all you",
  "Same time tomorrow?",
  "I’ll be ten minutes late, start without me",
  "Haven again? I dreamt of Haven",
  "ok",
  "Warm-up done, queue when you want",
  "My net is back. Do not ask.",
  "We should try the double-swing on B",
  "It worked!!",
  "It did not work",
  "Watched the recording: we rotate too late, every time. Let’s call it at the first footstep and trust it.",
  "Sleep well",
] as const;

/** Comments of reviews. */
export const REVIEW_COMMENTS: readonly string[] = [
  "Calls early and stays kind when it gets close.",
  "Great smokes, good company.",
  "Fine to play with. A bit quiet.",
  "Would queue again any evening.",
  "Late twice, but worth the wait.",
  "Knows every lineup on Lotus and explains them without a sigh.",
  "Tilted in the second half. The first was great.",
  "Super ruhig, klare Ansagen.",
  "Buena onda y muy buena comunicación.",
  "차분하고 콜이 정확해요.",
  "Спокойный, всегда на связи.",
  "Left after one game without a word.",
  "Plays what the team needs.",
  "Reviews one round after each game and then lets it go. More of this.",
];
