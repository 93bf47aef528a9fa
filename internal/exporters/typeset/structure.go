package typeset

import (
	"fmt"
	"strings"
)

// structure writes the structure tree and returns the object number of its root.
func (p *finisher) structure() int {
	elements := p.flow.tree.elements
	root := p.reserve(1)
	first := p.reserve(len(elements))
	for i := range elements {
		p.objects[first+i] = p.element(&elements[i], root, first)
	}
	p.objects[root] = fmt.Appendf(nil, "<</Type/StructTreeRoot/K %d 0 R/ParentTree %d 0 R/ParentTreeNextKey %d>>",
		first, p.parentTree(first), len(p.pages))
	return root
}

// element returns one structure element as an object; first is the object number of element 0.
func (p *finisher) element(e *element, root, first int) []byte {
	parent := root
	if e.parent >= 0 {
		parent = first + int(e.parent)
	}
	out := fmt.Appendf(nil, "<</S/%s/P %d 0 R", e.role, parent)
	if lang := langTag(e.lang); lang != "" {
		out = fmt.Appendf(out, "/Lang(%s)", lang)
	}
	if e.attr != "" {
		out = fmt.Appendf(out, "/A<<%s>>", e.attr)
	}
	if e.actual != "" {
		out = fmt.Appendf(out, "/ActualText%s", pdfText(e.actual))
	}
	firstPage := int32(-1) // the page of the first piece
	for _, k := range e.kids {
		if k.elem < 0 {
			firstPage = k.page
			out = fmt.Appendf(out, "/Pg %d 0 R", p.pages[firstPage])
			break
		}
	}
	kids := make([]string, len(e.kids))
	for i, k := range e.kids {
		switch {
		case k.elem >= 0:
			kids[i] = fmt.Sprintf("%d 0 R", first+int(k.elem))
		case k.page == firstPage:
			kids[i] = fmt.Sprint(k.mcid)
		default:
			kids[i] = fmt.Sprintf("<</Type/MCR/Pg %d 0 R/MCID %d>>", p.pages[k.page], k.mcid)
		}
	}
	switch len(kids) {
	case 0:
	case 1:
		out = fmt.Appendf(out, "/K %s", kids[0])
	default:
		out = fmt.Appendf(out, "/K[%s]", strings.Join(kids, " "))
	}
	return append(out, ">>"...)
}

// parentTree writes the map from each page's marked content to its elements and returns its object number.
func (p *finisher) parentTree(first int) int {
	var nums strings.Builder
	for page, marked := range p.flow.tree.marked {
		refs := make([]string, len(marked))
		for i, elem := range marked {
			refs[i] = fmt.Sprintf("%d 0 R", first+int(elem))
		}
		fmt.Fprintf(&nums, "%d %d 0 R ", page, p.add(fmt.Appendf(nil, "[%s]", strings.Join(refs, " "))))
	}
	return p.add(fmt.Appendf(nil, "<</Nums[%s]>>", nums.String()))
}

// outlines writes the bookmarks and returns the object number of their root, 0 if none.
func (p *finisher) outlines() int {
	marks := p.flow.marks
	if len(marks) == 0 {
		return 0
	}
	root := p.reserve(1)
	first := p.reserve(len(marks))
	links := linkMarks(marks)
	for i, m := range marks {
		l := links[i+1]
		parent := root
		if l.parent > 0 {
			parent = first + l.parent - 1
		}
		out := fmt.Appendf(nil, "<</Title%s/Parent %d 0 R/Dest[%d 0 R/XYZ 0 %.2f null]", pdfText(m.title), parent,
			p.pages[m.page], pageHeight-m.y+12)
		out = l.append(out, first, -1)
		p.objects[first+i] = append(out, ">>"...)
	}
	p.objects[root] = append(links[0].append([]byte("<</Type/Outlines"), first, 1), ">>"...)
	return root
}

// links are a bookmark's neighbours in the list, counted from 1; 0 stands for none, and for the root as a parent.
type links struct{ parent, prev, next, first, last, kids int }

// linkMarks links bookmarks into a tree by their levels. A level may exceed the one before it by at most one.
func linkMarks(marks []mark) []links {
	out := make([]links, len(marks)+1)
	open := []int{0} // the last bookmark of each open level
	for i, m := range marks {
		open = open[:min(len(open), m.level+1)]
		parent := open[len(open)-1]
		l := &out[i+1]
		l.parent, l.prev = parent, out[parent].last
		if l.prev > 0 {
			out[l.prev].next = i + 1
		} else {
			out[parent].first = i + 1
		}
		out[parent].last = i + 1
		out[parent].kids++
		open = append(open, i+1)
	}
	return out
}

// append writes the links; sign 1 is an open entry, -1 a closed one.
func (l links) append(out []byte, first, sign int) []byte {
	for _, to := range []struct {
		key string
		at  int
	}{{"Prev", l.prev}, {"Next", l.next}, {"First", l.first}, {"Last", l.last}} {
		if to.at > 0 {
			out = fmt.Appendf(out, "/%s %d 0 R", to.key, first+to.at-1)
		}
	}
	if l.kids > 0 {
		out = fmt.Appendf(out, "/Count %d", sign*l.kids)
	}
	return out
}
