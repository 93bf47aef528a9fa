package gallery

import (
	"time"

	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
	accountsviews "sanad/internal/views/accounts"
	notifyviews "sanad/internal/views/notify"
	"sanad/internal/views/ui"
)

// galleryMail are the settings of mail, the pages of its link, and what administrators see of it.
func galleryMail(c *ui.Chrome) []Sample {
	settings := func(state string, in accountsviews.MailPanel, fault *ui.FormFault) Sample {
		in.Daily = "07:00 (Asia/Riyadh)"
		return Sample{State: state, Body: accountsviews.MailSettings(accountsviews.NewAccountPage(*c,
			accountsviews.AccountInput{Mail: &in, Fault: fault}))}
	}
	off := func(state string, good, done bool) Sample {
		return Sample{State: state, Body: accountsviews.MailOffForm(&accountsviews.MailOffPage{Chrome: *c, Token: "x", Good: good, Done: done})}
	}
	admin := func(state string, in notifyviews.MailAdminInput) Sample {
		return Sample{State: state, Body: notifyviews.MailStatus(notifyviews.NewMailAdminPage(*c, in))}
	}
	on := notifyviews.MailAdminInput{On: true, From: "sanad@sanad.example", Daily: "07:00 (Asia/Riyadh)", Address: "amina@people.example"}
	full := on
	full.Summary = notify.MailSummary{Queued: 3, Waiting: 1, Sent: 1234, Failed: 2, Dropped: 40, Titles: true, Recent: []notify.MailRow{
		{Name: rtlText, Kind: notify.MailNotices, State: notify.MailFailed, Attempts: 12, Status: 451, Reason: notify.MailPutOff, CreatedAt: c.Now, EndedAt: c.Now},
		{Name: "", Kind: notify.MailDigest, State: notify.MailFailed, Attempts: 1, Status: 550, Reason: notify.MailRefused, CreatedAt: c.Now, EndedAt: c.Now},
		{Name: hugeWord, Kind: notify.MailNotices, State: notify.MailWaiting, Attempts: 3, Reason: notify.MailTLS, CreatedAt: c.Now,
			NextAt: c.Now.Add(time.Hour)},
		{Name: "Amina", Kind: notify.MailTest, State: notify.MailSent, Attempts: 1, Status: 250, CreatedAt: c.Now, EndedAt: c.Now},
	}}
	nowhere := on
	nowhere.Address, nowhere.Fault = "", &ui.FormFault{Word: "mail_no_address"}
	titled := func(state, title string, fault *ui.FormFault) Sample {
		return Sample{State: state, Body: accountsviews.AccountFacts(accountsviews.NewAccountPage(*c,
			accountsviews.AccountInput{Name: "Sara Al Dosari", Login: "sara", Title: title, Role: access.Approver, Fault: fault}))}
	}
	return []Sample{
		titled("person, no job title", "", nil), titled("person, job title in Arabic", "مديرة المشتريات", nil),
		titled("person, job title refused", hugeWord, &ui.FormFault{Field: "title", Word: "refused_job_title_long",
			Args: []any{"N", 100, "Most", 306}}),
		settings("settings, nothing chosen", accountsviews.MailPanel{Address: "amina@people.example"}, nil),
		settings("settings, all off, in Arabic", accountsviews.MailPanel{Address: "amina@people.example", Lang: "ar", Choices: notify.AllOff()}, nil),
		settings("settings, no address, refused", accountsviews.MailPanel{}, &ui.FormFault{Field: "mail", Word: "mail_choice"}),
		settings("settings, huge address", accountsviews.MailPanel{Address: hugeWord + "@people.example"}, nil),
		{State: "settings, no mail server", Body: accountsviews.NoMail(c)},
		off("stop mails", true, false), off("stopped", true, true), off("link too old", false, false),
		admin("no mail server", notifyviews.MailAdminInput{}), admin("nothing sent yet", on),
		admin("waiting and given up", full), admin("no address, test refused", nowhere),
	}
}
