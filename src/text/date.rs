//! The day, for profiles and certificates, as `YYYY-MM-DD`.

use std::time::{SystemTime, UNIX_EPOCH};

/// Today as YYYY-MM-DD, in universal time.
pub fn today() -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() / 86_400);
    date_of(days as i64)
}

/// A moment, milliseconds since 1970, as `YYYY-MM-DD hh:mm:ss`, UTC.
pub fn time_of(at_ms: u64) -> String {
    let (days, of_day) = (at_ms / 86_400_000, at_ms % 86_400_000 / 1000);
    let (hours, minutes, seconds) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{} {hours:02}:{minutes:02}:{seconds:02}", date_of(days as i64))
}

/// Milliseconds since 1970, now.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Whole days from one `YYYY-MM-DD` to another; less than zero where the second is earlier, `None` where one
/// is no date.
pub fn days_between(from: &str, to: &str) -> Option<i64> {
    Some(day_of(to)? - day_of(from)?)
}

/// Days from 1 January 1970 to a date.
fn day_of(date: &str) -> Option<i64> {
    let mut parts = date.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // The years begin in March, so that the leap day is the last of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let year_of_era = year.rem_euclid(400);
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(year.div_euclid(400) * 146_097 + day_of_era - 719_468)
}

/// The date so many days after 1 January 1970.
fn date_of(days: i64) -> String {
    // Days to a date of the Gregorian calendar, counted in eras of 400 years from 1 March 0000.
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_over_leap_years_and_centuries() {
        for (days, date) in
            [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_454, "2026-01-01")]
        {
            assert_eq!(date_of(days), date);
            assert_eq!(day_of(date), Some(days));
        }
    }

    #[test]
    fn a_moment_is_told_to_the_second() {
        assert_eq!(time_of(951_827_696_789), "2000-02-29 12:34:56");
        assert_eq!(time_of(0), "1970-01-01 00:00:00");
    }

    #[test]
    fn days_between_are_counted_and_what_is_no_date_has_none() {
        assert_eq!(days_between("2026-02-27", "2026-03-02"), Some(3));
        assert_eq!(days_between("2028-03-01", "2028-02-28"), Some(-2));
        for bad in ["", "2026-13-01", "2026-02", "yesterday", "2026-01-01-01"] {
            assert_eq!(days_between(bad, "2026-01-01"), None, "{bad}");
        }
    }
}
