package pack

import (
	"slices"

	"sanad/internal/domain"
)

// StandsFor returns a person with those that this person's acts count for as well (rule P-22).
func (c Chain) StandsFor(who string) []string { return domain.Standing(c[0].Behind, who) }

// CountsAs returns everybody whose making or approving of a pack keeps a person from approving it: the person, and all
// who stand for somebody that the person stands for as well.
func (c Chain) CountsAs(who string) []string {
	mine, out := c.StandsFor(who), []string{who}
	for _, x := range c[0].Behind {
		for _, other := range []string{x.Person, x.By} {
			if !slices.Contains(out, other) && domain.SharePerson(mine, c.StandsFor(other)) {
				out = append(out, other)
			}
		}
	}
	return out
}

// mayStand refuses an approval that is given by a maker or an earlier approver of the pack in another's name.
func (c Chain) mayStand(who string) error {
	mine := c.StandsFor(who)
	for _, author := range c.Authors() {
		if domain.SharePerson(mine, c.StandsFor(author)) {
			return denied("refused_pack_behind")
		}
	}
	if slices.ContainsFunc(mine[1:], c.HasTokenIssuer) {
		return denied("refused_pack_behind_machine")
	}
	for _, a := range c[0].Approvals {
		if a.Actor != who && domain.SharePerson(mine, c.StandsFor(a.Actor)) {
			return denied("refused_pack_behind_second")
		}
	}
	return nil
}
