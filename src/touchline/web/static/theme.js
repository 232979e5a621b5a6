// Apply the stored theme before anything is drawn, so that the page does not flash.
{
  const theme = localStorage.getItem("touchline.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
