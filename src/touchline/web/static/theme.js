// Before anything is drawn, so that nothing flashes: light or dark as it was chosen here last.
{
  const theme = localStorage.getItem("touchline.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
