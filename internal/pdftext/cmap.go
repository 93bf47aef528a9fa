package pdftext

import "unicode/utf16"

// cmap is a character map: what the codes of a font mean.
type cmap struct {
	wide    bool              // codes of two bytes
	ranged  bool              // the map states the length of its codes
	unicode map[uint32]string // at most maxMapped
	take    func(int) bool
}

const maxMapped = 100_000

// readCMap parses a ToUnicode map and skips what it does not understand. It ends when there are no
// steps left to take.
func readCMap(data []byte, take func(int) bool) *cmap {
	m := &cmap{unicode: map[uint32]string{}, take: take}
	scan(data, func(op string, args []operand) bool {
		switch op {
		case "endcodespacerange":
			for _, a := range args {
				m.ranged = true
				m.wide = m.wide || len(a.text) > 1
			}
		case "endbfchar":
			for i := 0; i+1 < len(args); i += 2 {
				if !m.take(entrySteps) {
					return false
				}
				m.set(code(args[i].text), args[i+1].text, 0)
			}
		case "endbfrange":
			for i := 0; i+2 < len(args); i += 3 {
				m.spread(code(args[i].text), code(args[i+1].text), args[i+2])
			}
		}
		return len(m.unicode) < maxMapped
	})
	return m
}

// spread maps the codes from lo to hi to consecutive characters starting at to, or to the items of a list.
func (m *cmap) spread(lo, hi uint32, to operand) {
	for c := lo; c <= hi && c-lo < 1<<16 && len(m.unicode) < maxMapped && m.take(entrySteps); c++ {
		i := int(c - lo)
		switch {
		case to.kind == str:
			m.set(c, to.text, rune(i))
		case i < len(to.list):
			m.set(c, to.list[i].text, 0)
		}
	}
}

// set maps c to UTF-16 text whose last character is increased by more.
func (m *cmap) set(c uint32, text []byte, more rune) {
	r := []rune(decode16(text))
	if len(r) == 0 {
		return
	}
	r[len(r)-1] += more
	m.unicode[c] = string(r)
}

func decode16(b []byte) string {
	if len(b) == 1 {
		return string(rune(b[0]))
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
	}
	return string(utf16.Decode(units))
}

func code(b []byte) (c uint32) {
	for _, x := range b[:min(len(b), 4)] {
		c = c<<8 | uint32(x)
	}
	return c
}
