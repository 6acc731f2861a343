-- Visits that were counted from packed days take the place of those that were grouped.
delete from temp.visit_client;
insert into temp.visit_client
select id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced
from temp.packed_visit
where breakdown = 'client';
delete from temp.visit_place;
insert into temp.visit_place
select id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced
from temp.packed_visit
where breakdown = 'place';
delete from temp.visit_origin;
insert into temp.visit_origin
select id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced
from temp.packed_visit
where breakdown = 'origin';
delete from temp.visit_campaign;
insert into temp.visit_campaign
select id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced
from temp.packed_visit
where breakdown = 'campaign';
delete from temp.visit_screen;
insert into temp.visit_screen
select id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced
from temp.packed_visit
where breakdown = 'screen';
delete from temp.visit_language;
insert into temp.visit_language
select id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced
from temp.packed_visit
where breakdown = 'language';
delete from temp.visit_timezone;
insert into temp.visit_timezone
select id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced
from temp.packed_visit
where breakdown = 'timezone';
delete from temp.packed_visit;
