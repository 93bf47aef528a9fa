package say

import "strings"

// message is the id of the event's sentence.
func (e *Event) message() string {
	id := "say_" + strings.ReplaceAll(e.Action, ".", "_")
	if v := e.variant(); v != "" {
		return id + "_" + v
	}
	return id
}

// variant is the end of the id of an event's sentence where the action alone doesn't say what happened.
func (e *Event) variant() string {
	switch e.Action {
	case "claim.reviewed":
		return e.reviewed()
	case "session.assigned":
		return e.seats()
	case "login.failed":
		own, many := e.Actor != "" && e.Actor == e.ObjectID, e.number("failures") > 1 // own: of somebody who is signed in
		switch {
		case own && many:
			return "own_many"
		case own:
			return "own"
		}
		return chosen(many, "many", "")
	case "login.succeeded":
		return chosen(e.text("factors") != "", "by", "")
	case "login.switched":
		return chosen(e.flag("entered"), "here", "away")
	case "log.verified":
		return chosen(e.flag("ok"), "", "bad")
	case "invitation.sent", "invitation.accepted", "invitation.withdrawn", "invitation.lapsed":
		return chosen(e.flag("link"), "link", "")
	case "user.added":
		return chosen(e.text("invitation") != "", "invited", "")
	case "user.totp_changed":
		return chosen(e.flag("on"), "on", "off")
	case "user.password_changed":
		return chosen(e.Actor == e.ObjectID, "own", "")
	case "tenant.changed":
		return e.setting()
	case "job.done":
		return chosen(e.text("session") != "", "session", "")
	case "pack.approved":
		return chosen(e.text("for") != "", "for", "")
	case "pack.edited":
		return chosen(len(e.texts("parts")) > 0, "parts", "")
	case "passage.attached", "passage.detached":
		return chosen(e.text("from_verdict") == e.text("to_verdict"), "same", "")
	case "session.due_set", "pack.due_set":
		return chosen(e.text("was") != "", "moved", "")
	case "session.reassessed":
		return chosen(e.text("cause") != "", "counted", "")
	}
	return ""
}

// reviewed is the variant of a review.
func (e *Event) reviewed() string {
	action := e.text("action")
	switch {
	case e.Sealed():
		return "sealed"
	case e.flag("adjudicates"):
		return "adjudicate"
	case action == "override" && e.review().From == "":
		return "override_to"
	case action == "confirm" && e.text("batch") != "":
		return "confirm_at_once"
	case action == "":
		return "comment"
	}
	return action
}

// seats tells how many people a session was assigned to.
func (e *Event) seats() string {
	switch {
	case e.text("first") != "" && e.text("second") != "":
		return "both"
	case e.text("first")+e.text("second") == "":
		return "nobody"
	case e.text("first") != "":
		return "first"
	}
	return "second"
}

// setting is the variant of a changed setting of the tenant.
func (e *Event) setting() string {
	if e.Facts == nil {
		return ""
	}
	for _, name := range []string{"second_factor", "freshness_months", "second_review", "time_zone", "week_start", "hijri", "letterhead", "name"} {
		switch on := e.Facts.Details[name].(type) {
		case nil:
		case bool:
			return name + chosen(name == "name" || name == "letterhead", "", chosen(on, "_on", "_off"))
		default:
			return name
		}
	}
	return ""
}

func (e *Event) flag(name string) bool {
	if e.Facts == nil {
		return false
	}
	b, _ := e.Facts.Details[name].(bool)
	return b
}

// chosen returns a if yes, else b.
func chosen(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
