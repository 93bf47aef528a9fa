package redact

import (
	"strings"

	"sanad/internal/domain/text"
)

// english holds the classes of English words and of the parts of field names.
var english = table(map[class]string{
	phoneWord: "phone phones telephone tel telno mobile mobiles mob cell cellphone cellular fax call dial contact whatsapp sms msisdn " +
		"landline hotline phoneno phonenumber mobileno mobilenumber contactno contactnumber ph reach",
	idWord: "national nationalid nationalids nid iqama iqamah identity identification identified resident residents residency residence citizen citizens citizenship " +
		"civil absher nafath muqeem iqamaid iqamano iqamanumber idno idnumber personal",
	cardWord: "card cards cardno cardnumber visa mastercard maestro mada amex express credit debit pan unionpay",
	bookWord: "isbn issn ean gtin upc barcode timestamp epoch",
	otherWord: "timestamp timestamps time times ts epoch unix unixtime posix created updated modified accessed expires expiry expired exp iat nbf date datetime " +
		"seconds sec secs millis order orders invoice invoices transaction transactions txn tx trx ref reference sku isbn amount sar sr usd eur total sum price " +
		"tracking shipment waybill request event message session product item ticket build job batch serial commercial cr receipt po purchase logged run " +
		"account commit version seed hash population deposit contract case part model",
	whenWord:    "at on since until till after before from around",
	versionWord: "v ver version versions release build firmware section sections chapter clause article paragraph para appendix annex figure table step oid schema revision chrome chromium edg opr safari firefox mozilla openssl",
	fillWord:    "number numbers no nr num is was are on us me him her them at to via please or and the our my his their your work home office main direct line by",
	copula:      "is as was are being",
})

// arabicWhole holds normalised Arabic words that must match whole.
var arabicWhole = table(map[class]string{
	phoneWord:   "ت ج",
	fillWord:    "رقم رقمه رقمها رقمي رقمك ارقام علي هو هي وهو وهي الي من او عبر تالي اتي مباشر ان في",
	copula:      "هو هي وهو وهي",
	whenWord:    "في عند منذ",
	versionWord: "ماده بند قسم فصل فقره نسخه اصدار جدول ملحق",
	otherWord:   "طلب طلبيه طلبات ريال مبلغ ساعه",
	idWord:      "نفاذ ابشر",
})

// arabicStems holds beginnings of normalised Arabic words of at least three letters.
var arabicStems = table(map[class]string{
	phoneWord: "هاتف هواتف جوال موبايل محمول تلفون تليفون واتس واتساب اتصل اتصال اتصلوا تواصل فاكس نقال",
	idWord:    "هوي اقام احوال مدني مقيم مواطن قومي وطني شخصي",
	cardWord:  "بطاق فيزا مدي ماستر ايتمان ائتمان",
	otherWord: "وقت زمن زمني توقيت تاريخ فاتور معامل مرجع تجاري حساب ايصال منتج جلس شحن طابع اجمالي سعر ثاني ثواني عمليه عمليات عقد",
})

// table inverts the lists: it maps each word, normalised as texts are, to its classes.
func table(lists map[class]string) map[string]class {
	out := map[string]class{}
	for c, list := range lists {
		for w := range strings.FieldsSeq(list) {
			out[text.Fold(w)] |= c
		}
	}
	return out
}
