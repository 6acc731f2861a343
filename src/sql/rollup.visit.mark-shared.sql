-- Marks the visits whose visitor or session has another visit on the day: midnight, consent and returning visitors.
update visit
set is_only_visit = 0
where visitor_id in (select visitor_id from visit group by visitor_id having count(*) > 1)
  or session_id in (select session_id from visit group by session_id having count(*) > 1)
