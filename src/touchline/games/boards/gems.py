"""How each gem of Labyrinth is drawn: its cut is a symbol of the sheet, its hue a class; no two are alike."""

from __future__ import annotations

_TABLE = """
    alexandrite:oval:emerald alexandrite-pear-shape:pear:emerald almandine-garnet:oval:ruby
    amethyst:marquise:amethyst ametrine:emerald:amethyst ammolite:round:aqua apatite:oval:aqua
    aplite:emerald:clear apricot-square-radiant:cushion:amber aquamarine:pear:aqua
    australian-marquise:marquise:clear aventurine:marquise:emerald azurite:round:sapphire
    beryl:marquise:aqua black-obsidian:round:onyx black-onyx:oval:onyx black-spinel-cushion:cushion:rose
    blue-ceylon-sapphire:oval:sapphire blue-cushion:cushion:sapphire blue-pear-shape:pear:sapphire
    blue-spinel-heart:heart:sapphire bulls-eye:star:onyx carnelian:pear:amber
    chrome-diopside:trillion:emerald chrysoberyl-cushion:cushion:citrine chrysolite:round:peridot
    citrine:trillion:citrine citrine-checkerboard:kite:citrine clinohumite:marquise:amber
    color-change-oval:oval:amethyst cordierite:marquise:sapphire diamond:kite:clear
    dumortierite:emerald:sapphire emerald:heart:emerald fancy-spinel-marquise:marquise:rose
    garnet:pear:ruby golden-diamond-cut:round:citrine goldstone:emerald:amber grandidierite:emerald:aqua
    gray-agate:pear:onyx green-aventurine:kite:emerald green-beryl:star:emerald
    green-beryl-antique:marquise:ruby green-princess-cut:cushion:emerald grossular-garnet:cushion:ruby
    hackmanite:heart:amethyst heliotrope:trillion:ruby hematite:marquise:onyx
    iolite-emerald-cut:emerald:emerald jasper:heart:ruby jaspilite:star:ruby kunzite:heart:rose
    kunzite-oval:oval:rose labradorite:cushion:aqua lapis-lazuli:kite:sapphire
    lemon-quartz-briolette:pear:citrine magnesite:trillion:clear mexican-opal:oval:clear
    moonstone:heart:clear morganite-oval:round:rose moss-agate:trillion:amber orange-radiant:round:amber
    padparadscha-oval:oval:amber padparadscha-sapphire:heart:amber peridot:oval:peridot
    pink-emerald-cut:round:emerald pink-opal:pear:rose pink-round:emerald:rose
    pink-spinel-cushion:trillion:rose prasiolite:pear:peridot prehnite:marquise:peridot
    purple-cabochon:round:amethyst purple-oval:pear:amethyst purple-spinel-trillion:trillion:amethyst
    purple-square-cushion:cushion:amethyst raw-beryl:kite:aqua raw-citrine:oval:citrine
    red-diamond:kite:ruby red-spinel-square-emerald-cut:emerald:ruby rhodonite:star:rose
    rock-quartz:round:clear rose-quartz:kite:rose ruby:kite:amber ruby-diamond-profile:round:ruby
    sphalerite:star:citrine spinel:emerald:peridot star-cabochon:pear:clear stilbite:cushion:peridot
    sunstone:trillion:peridot super-seven:kite:amethyst tanzanite-trillion:trillion:sapphire
    tigers-eye:star:amber tourmaline:trillion:aqua tourmaline-laser-cut:heart:aqua unakite:heart:peridot
    white-square:cushion:clear yellow-baguette:emerald:citrine yellow-beryl-oval:marquise:citrine
    yellow-heart:heart:citrine yellow-jasper:kite:peridot zircon:star:peridot zoisite:star:aqua
"""

CUTS: dict[str, tuple[str, str]] = {
    name: (f"gem-{cut}", hue) for name, cut, hue in (entry.split(":") for entry in _TABLE.split())
}
"""The symbol and the tone of each gem, by its name."""
