import type { CardView } from "~/features/lfg/present.server";

const moment = (ago: string) => ({
  iso: "2026-11-21T18:53:00.000Z",
  ago,
  exact: "21 November 2026, 19:53, Europe/Berlin time",
});

const VERIFIED = { label: "Verified", title: "Riot ID found" };

/** Posts for the specimens of the LFG card: a typical one, the shortest, and the longest allowed. */
export const SAMPLE_POSTS: readonly CardView[] = [
  {
    id: "0193f2ab-0000-7000-8000-000000000001",
    openSpots: 1,
    takenSpots: 0,
    requiredRole: "Controller",
    isOpen: true,
    listed: moment("about 2 hours ago"),
    fits: true,
    details: {
      title: "Calm Controller wanted for the evening climb",
      message:
        "I call early and nobody shouts. Haven and Lotus most nights, 19:00 to 23:00 CET, and we stop after two losses in a row.",
      requiredRank: "Platinum 1",
      region: "Europe",
      timeLeft: "22 hours",
      author: {
        id: "0193f2ab-0000-4000-8000-000000000001",
        name: "Sørina Wójcik",
        letter: "S",
        picture: null,
        verified: VERIFIED,
        rank: "Diamond 1",
        role: "Initiator",
        agents: ["Sova", "Fade"],
        presence: null,
      },
      reasons: [
        [true, "You play Controller"],
        [true, "Platinum 2 can queue with Diamond 1"],
      ],
    },
  },
  {
    id: "0193f2ab-0000-7000-8000-000000000002",
    openSpots: 2,
    takenSpots: 0,
    requiredRole: null,
    isOpen: true,
    listed: moment("about 14 hours ago"),
    fits: true,
    details: {
      title: "First week of ranked, who wants to learn together?",
      message: null,
      requiredRank: null,
      region: null,
      timeLeft: "10 hours",
      author: {
        id: "0193f2ab-0000-4000-8000-000000000001",
        name: "Player 0193f2ab",
        letter: "P",
        picture: null,
        verified: null,
        rank: null,
        role: null,
        agents: [],
        presence: null,
      },
      reasons: [],
    },
  },
  {
    id: "0193f2ab-0000-7000-8000-000000000003",
    openSpots: 4,
    takenSpots: 0,
    requiredRole: "Sentinel",
    isOpen: true,
    listed: moment("about 23 hours ago"),
    fits: false,
    details: {
      title: "Full five every Thursday: we need an Initiator, a Sentinel and two people who laugh at bad smokes",
      message: `Wolfeschlegelsteinhausenbergerdorff${"x".repeat(60)}\nsecond line\nthird line, which the list cuts off`,
      requiredRank: "Radiant",
      region: "North America",
      timeLeft: "59 minutes",
      author: {
        id: "0193f2ab-0000-4000-8000-000000000001",
        name: "ouroboros_kaisa_the_second_of_her_name",
        letter: "o",
        picture: null,
        verified: VERIFIED,
        rank: "Ascendant 3",
        role: "Duelist",
        agents: ["Phoenix", "Reyna", "Waylay"],
        presence: null,
      },
      reasons: [
        [false, "Asks for Radiant. You are Platinum 2."],
        [false, "Wants a Sentinel. You play Controller."],
      ],
    },
  },
];
