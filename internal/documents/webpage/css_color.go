package webpage

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
	"golang.org/x/net/html"
)

// shade is a colour as far as it is known.
type shade struct {
	r, g, b float64
	Known   bool
}

// attributeColor is a colour of an attribute, as styles would write it: its digits may stand without their sign.
func attributeColor(n *html.Node, key string) string {
	v := strings.ToLower(strings.TrimSpace(attributeOf(n, key)))
	if _, err := strconv.ParseUint(v, 16, 32); err == nil && len(v) == 6 {
		return "#" + v
	}
	return v
}

// isClear reports whether a colour is none: what has it is not seen.
func isClear(v string) bool {
	if v == "transparent" {
		return true
	}
	if hex, ok := strings.CutPrefix(v, "#"); ok {
		return len(hex) == 4 && hex[3] == '0' || len(hex) == 8 && hex[6:] == "00"
	}
	_, parts := colorParts(v)
	return len(parts) == 4 && isZero(parts[3])
}

// shadeOf reads a colour; it is not known if it is calculated, or can be seen through.
func shadeOf(v string) shade {
	v = strings.TrimSpace(v)
	if c, ok := colornames.Map[v]; ok {
		return shade{r: float64(c.R), g: float64(c.G), b: float64(c.B), Known: true}
	}
	if hex, ok := strings.CutPrefix(v, "#"); ok {
		return HexShade(hex)
	}
	space, parts := colorParts(v)
	if len(parts) < 3 || len(parts) > 3 && parts[3] != "1" && parts[3] != "100%" {
		return shade{}
	}
	switch space {
	case "rgb", "rgba":
		return rgbShade(parts)
	case "hsl", "hsla":
		return hslShade(parts)
	}
	return shade{}
}

// colorParts splits a colour that is written as a function.
func colorParts(v string) (space string, parts []string) {
	space, inner, ok := strings.Cut(v, "(")
	if !ok {
		return "", nil
	}
	isBetween := func(r rune) bool { return strings.ContainsRune(", /", r) }
	return space, strings.FieldsFunc(strings.TrimSuffix(inner, ")"), isBetween)
}

// HexShade reads the digits of a colour, with or without those of its opacity.
func HexShade(hex string) shade {
	if len(hex) == 3 || len(hex) == 4 {
		var long []byte
		for i := range len(hex) {
			long = append(long, hex[i], hex[i])
		}
		hex = string(long)
	}
	if len(hex) == 8 && hex[6:] == "ff" {
		hex = hex[:6]
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	return shade{r: float64(n >> 16), g: float64(n >> 8 & 0xFF), b: float64(n & 0xFF), Known: err == nil && len(hex) == 6}
}

func rgbShade(parts []string) shade {
	var out [3]float64
	for i := range out {
		number, share := strings.CutSuffix(parts[i], "%")
		n, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return shade{}
		}
		if out[i] = n; share {
			out[i] = n * 255 / 100
		}
	}
	return shade{r: out[0], g: out[1], b: out[2], Known: true}
}

// hslShade reads a colour that is stated by hue, saturation and lightness (CSS Color 4, 7.1).
func hslShade(parts []string) shade {
	var v [3]float64
	for i := range v {
		n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSuffix(parts[i], "%"), "deg"), 64)
		if err != nil {
			return shade{}
		}
		v[i] = n
	}
	hue, saturation, light := math.Mod(math.Mod(v[0], 360)+360, 360), v[1]/100, v[2]/100
	channel := func(n float64) float64 {
		k := math.Mod(n+hue/30, 12)
		return 255 * (light - saturation*min(light, 1-light)*max(-1, min(k-3, 9-k, 1)))
	}
	return shade{r: channel(0), g: channel(8), b: channel(4), Known: true}
}

func firstShade(v string) shade {
	if s := shadeOf(v); s.Known {
		return s
	}
	for part := range strings.FieldsSeq(v) {
		if s := shadeOf(part); s.Known {
			return s
		}
	}
	return shade{}
}

// Near reports whether two colours cannot be told apart.
func (s shade) Near(o shade) bool {
	return math.Abs(s.r-o.r) <= sameShade && math.Abs(s.g-o.g) <= sameShade && math.Abs(s.b-o.b) <= sameShade
}
