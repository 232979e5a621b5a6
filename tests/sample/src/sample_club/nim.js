export const behaviour = {
  advice: "Pick a heap, then the number of stones to take.",
};
